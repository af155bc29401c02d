import type { Isolate, RequestOptions, Sandbox } from '../../../../sandbox/pool/interface.ts';
import { lossOf, type EvaluationLoss } from '../../evaluation/losses.ts';
import { placeKey, type MissionPlace } from './workspaces.ts';

/** Isolates of a run that wait for their next program, at most: those of the places used last. */
const WAITING = 16;

/** An isolate of one mission, with its bundle attached. */
export interface MissionIsolate {
  readonly isolate: Isolate;
  /** The revision of the continuation that it holds; null: none, it must be restored. */
  readonly revision: number | null;
}

/** `loss`: why no isolate could be had. */
export type MissionIsolateResult =
  | { readonly ok: true; readonly acquired: MissionIsolate }
  | { readonly ok: false; readonly loss: EvaluationLoss };

/**
 * The isolates of a run's missions. After a commit the isolate that made it lives on at that revision, and the next
 * evaluation goes on in it; every other one gets a fresh isolate, which restores the continuation. What a program can
 * see is the same (runtime.md §4): a fresh isolate costs some five milliseconds, and nothing else is gained.
 */
export interface MissionIsolates {
  /** An isolate that lives at `revision`, else a fresh one. It is nobody else's until it is kept or let go. */
  take(
    place: MissionPlace,
    revision: number,
    request: Pick<RequestOptions, 'timeoutMs' | 'time'> & { readonly signal: AbortSignal },
  ): Promise<MissionIsolateResult>;
  /** Gives back an isolate that is at `revision` now. */
  keep(place: MissionPlace, revision: number, isolate: Isolate): Promise<void>;
  /** Ends an isolate that was taken. */
  letGo(isolate: Isolate): Promise<void>;
  /** Makes an isolate for a mission before it is asked for. */
  prepare(mission: string, timeoutMs: number): void;
  /** Ends those that wait at places which nothing goes on from. */
  endPlaces(isOver: (key: string) => boolean): Promise<void>;
  /** Ends all that live. */
  close(): Promise<void>;
}

export interface IsolateOptions {
  readonly sandbox: Sandbox;
  readonly trustDomain: string;
  /** `evaluation_heap_words`. */
  readonly heapWords: number;
  /** Compiled bundles by mission; null without components. */
  readonly codes: ReadonlyMap<string, string | null>;
}

export function openMissionIsolates({ sandbox, trustDomain, heapWords, codes }: IsolateOptions): MissionIsolates {
  /** By place, the one used last at the end. */
  const living = new Map<string, MissionIsolate>();
  const prepared = new Map<string, Promise<MissionIsolateResult>>();
  let isClosed = false;
  /** Raised when nobody will take what is prepared. */
  const closing = new AbortController();

  async function fresh(
    mission: string,
    request: Pick<RequestOptions, 'timeoutMs' | 'time' | 'signal'>,
  ): Promise<MissionIsolateResult> {
    const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain, heapWords });
    const code = codes.get(mission) ?? null;
    if (code === null) return { ok: true, acquired: { isolate, revision: null } };
    const outcome = await isolate.request({ operation: 'load', code }, request);
    if (outcome.status === 'replied' && outcome.reply.status === 'loaded')
      return { ok: true, acquired: { isolate, revision: null } };
    await isolate.dispose();
    // A bundle that compiled attaches: one that does not met a limit of the isolate on the way.
    return { ok: false, loss: outcome.status === 'replied' ? 'memory_exceeded' : lossOf(outcome) };
  }

  async function end(key: string): Promise<void> {
    const known = living.get(key);
    living.delete(key);
    await known?.isolate.dispose();
  }

  return {
    async take(place, revision, request) {
      const { mission } = place;
      const key = placeKey(place);
      const known = living.get(key);
      if (known !== undefined && known.revision === revision && known.isolate.isUsable()) {
        living.delete(key);
        return { ok: true, acquired: known };
      }
      await end(key);
      const waiting = prepared.get(mission);
      prepared.delete(mission);
      const early = waiting === undefined ? null : await waiting;
      if (early?.ok === true) {
        if (early.acquired.isolate.isUsable()) return early;
        await early.acquired.isolate.dispose();
      }
      return fresh(mission, request);
    },
    async keep(place, revision, isolate) {
      if (isClosed) {
        await isolate.dispose();
        return;
      }
      const key = placeKey(place);
      await end(key);
      living.set(key, { isolate, revision });
      const [oldest] = living.keys();
      if (living.size > WAITING && oldest !== undefined) await end(oldest);
    },
    letGo: (isolate) => isolate.dispose(),
    async endPlaces(isOver) {
      await Promise.all([...living.keys()].filter(isOver).map(end));
    },
    prepare(mission, timeoutMs) {
      if (isClosed || prepared.has(mission) || living.has(placeKey({ mission, workspace: null }))) return;
      const making = fresh(mission, { timeoutMs, signal: closing.signal });
      // Anyone who takes it meets the failure.
      making.catch(() => undefined);
      prepared.set(mission, making);
    },
    async close() {
      isClosed = true;
      closing.abort();
      const early = await Promise.allSettled(prepared.values());
      prepared.clear();
      const unused = early.flatMap((one) =>
        one.status === 'fulfilled' && one.value.ok ? [one.value.acquired.isolate] : [],
      );
      await Promise.all([...unused.map((isolate) => isolate.dispose()), ...[...living.keys()].map(end)]);
      // Nothing of another run may ever share a process with these: they have no further use.
      await sandbox.endDomain({ environment: 'mission', trustDomain });
    },
  };
}
