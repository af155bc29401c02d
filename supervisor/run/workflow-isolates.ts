import type { Isolate } from '../../sandbox/pool/interface.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import type { RunContext } from './run-context.ts';

/** Where the programs of one environment are evaluated. */
export interface WorkflowIsolates {
  /**
   * An isolate, which is nobody else's until it is given back, and the bundle to attach to it; null: it holds all that
   * it needs.
   */
  take(): Promise<AcquiredIsolate>;
  /** `evaluated`: what the program in it came to; null when that is not known. */
  giveBack(isolate: Isolate, evaluated: Evaluated | null): Promise<void>;
}

export interface AcquiredIsolate {
  readonly isolate: Isolate;
  readonly bundle: string | null;
}

/** A fresh isolate with the workflow's bundle for each program, and none of it for the next (runtime.md §4). */
export function freshIsolates({
  sandbox,
  trustDomain,
  application: { workflow, limits },
}: Pick<RunContext, 'sandbox' | 'trustDomain' | 'application'>): WorkflowIsolates {
  return {
    async take() {
      const isolate = await sandbox.openIsolate({
        environment: 'workflow',
        trustDomain,
        heapWords: limits.workflow_heap_words,
      });
      return { isolate, bundle: workflow.code };
    },
    giveBack: (isolate) => isolate.dispose(),
  };
}

/**
 * The same for the programs of one mission that are typed, not sent by a workflow; `code`: its bundle, null without
 * components.
 */
export function freshMissionIsolates(
  { sandbox, runRef, application: { limits } }: Pick<RunContext, 'sandbox' | 'runRef' | 'application'>,
  code: string | null,
): WorkflowIsolates {
  return {
    async take() {
      const isolate = await sandbox.openIsolate({
        environment: 'mission',
        trustDomain: runRef,
        heapWords: limits.evaluation_heap_words,
      });
      return { isolate, bundle: code };
    },
    giveBack: (isolate) => isolate.dispose(),
  };
}

/** One isolate that each program goes on in, with what those before it left there, until it is lost (cli.md §11). */
export interface LastingIsolate extends WorkflowIsolates {
  /** The isolate itself, for what is no program. */
  current(): Promise<Isolate>;
  /** Ends it; the next program finds a fresh one. */
  close(): Promise<void>;
}

export function lastingIsolate(fresh: WorkflowIsolates): LastingIsolate {
  let living: AcquiredIsolate | null = null;

  async function take(): Promise<AcquiredIsolate> {
    living ??= await fresh.take();
    return living;
  }

  async function close(): Promise<void> {
    const ending = living;
    living = null;
    await ending?.isolate.dispose();
  }

  return {
    take,
    current: async () => (await take()).isolate,
    async giveBack(isolate, evaluated) {
      if (evaluated?.kind === 'replied') living = { isolate, bundle: null };
      else await close();
    },
    close,
  };
}
