import { members } from '../../history/analysis/members.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { PROFILE_LIMITS } from '../../session/profiles/contract.ts';
import type { SetupRefusal } from '../../session/profiles/refusal.ts';
import { randomSecret } from '../secrets.ts';
import type { OpenBackend, ReplBackend } from './backend.ts';
import { evaluationOf } from './evaluation.ts';
import { newTranscript, type SessionTranscript } from './transcript.ts';

/** evidence.md §11, REPL. */
export type Lifecycle =
  | 'never_started'
  | 'open'
  | 'evaluating'
  | 'templating'
  | 'closed'
  | 'terminal'
  | 'terminal_unpersisted'
  | 'persistence_failed'
  | 'backend_failed';

/** Milliseconds of one operation, the opening of the session included. */
const OPERATION_MS = 25_000;
/** Names that a page completes from, and characters of one. */
const NAMES_MOST = 4096;
const NAME_CHARACTERS = 128;

/** Why an operation was not carried out. */
export type ReplFault =
  | {
      readonly fault:
        | 'operation_active'
        | 'session_closed'
        | 'session_terminal'
        | 'persistence_failed'
        | 'adapter_failure'
        | 'start_timeout';
    }
  | { readonly fault: 'not_opened'; readonly refusal: SetupRefusal };

/** `answer`: what the answer has in addition to the state of the session. */
export type Done = { readonly ok: true; readonly answer: JsonObject } | ({ readonly ok: false } & ReplFault);

/** The one session of a viewer, which opens with its first operation; operations are one at a time. */
export interface Repl {
  sessionId(): string;
  /** Members of every answer. */
  state(): JsonObject;
  evaluate(source: string, left: AbortSignal): Promise<Done>;
  names(left: AbortSignal): Promise<Done>;
  /** Writes a form by `write`, which gets whether the session has captured a run. */
  template(write: (hasRun: (runId: string) => Promise<boolean>) => Promise<Done>): Promise<Done>;
  /** Writes the trace of the session, and opens another over evidence as it is now. */
  reset(left: AbortSignal): Promise<Done>;
  /** Ends the session for good; only `reset` opens another. */
  end(): Promise<Done>;
  /** Gives up what is at work, and ends the session. */
  close(): Promise<void>;
}

export interface ReplOptions {
  readonly open: OpenBackend;
  /** Of this process; every change must carry it. */
  readonly mutationNonce: string;
  readonly now: () => number;
  /** Called with exceptions behind an operation, which are bugs. */
  readonly reportBug: (error: unknown) => void;
  readonly operationMs?: number;
}

/** One session, from before it is opened until after it has ended. */
interface Generation {
  readonly id: string;
  readonly sequence: number;
  readonly transcript: SessionTranscript;
  lifecycle: Lifecycle;
  backend: ReplBackend | null;
  openedAt: number;
  /** Ends with the session, or with an opening that took too long. */
  stop: AbortController;
  evaluations: number;
  calls: Readonly<Record<string, number>>;
  terminalReason: string | null;
  isTraceWritten: boolean;
}

const DONE: Done = { ok: true, answer: new Map() };
const refused = (fault: Exclude<ReplFault['fault'], 'not_opened'>): Done => ({ ok: false, fault });

export function newRepl({ open, mutationNonce, now, reportBug, operationMs = OPERATION_MS }: ReplOptions): Repl {
  const instance = randomSecret();
  const closing = new AbortController();
  let generation = newGeneration(1, now());
  let revision = 0;
  let active: Promise<unknown> | null = null;
  let lastTracePath: string | null = null;

  function become(lifecycle: Lifecycle): void {
    generation.lifecycle = lifecycle;
    revision += 1;
  }

  /** One operation; whatever it throws is a bug, which the session does not outlive. */
  async function alone(lifecycle: Lifecycle, work: () => Promise<Done>): Promise<Done> {
    if (active !== null) return refused('operation_active');
    become(lifecycle);
    const { promise, resolve } = Promise.withResolvers<void>();
    active = promise;
    try {
      const done = await work();
      if (generation.lifecycle === lifecycle) become(generation.backend === null ? 'never_started' : 'open');
      return done;
    } catch (error) {
      reportBug(error);
      become('backend_failed');
      return refused('adapter_failure');
    } finally {
      active = null;
      resolve();
    }
  }

  function endedFault(): Done | null {
    switch (generation.lifecycle) {
      case 'never_started':
      case 'open':
      case 'evaluating':
      case 'templating':
        return null;
      case 'terminal':
      case 'terminal_unpersisted':
        return refused('session_terminal');
      case 'closed':
      case 'persistence_failed':
      case 'backend_failed':
        return refused('session_closed');
    }
  }

  async function opened(signal: AbortSignal): Promise<Done> {
    if (generation.backend !== null) return DONE;
    const { stop } = generation;
    const opening = open(stop.signal);
    const first = await Promise.race([opening, awaitAbort(signal)]);
    if (first === null) {
      stop.abort();
      // Its result is released as soon as it is there.
      opening.then(async (late) => (late.ok ? late.value.close(null) : null)).catch(reportBug);
      generation.stop = new AbortController();
      return refused('start_timeout');
    }
    if (!first.ok) return { ok: false, fault: 'not_opened', refusal: first };
    generation.backend = first.value;
    generation.openedAt = now();
    return DONE;
  }

  /** Writes the trace; the lifecycle that follows is `after`, unless it could not be written. */
  async function persisted(after: Lifecycle, failed: Lifecycle): Promise<boolean> {
    const { backend } = generation;
    if (backend === null) {
      become(after);
      return true;
    }
    generation.calls = backend.calls();
    generation.backend = null;
    const { isTraceWritten, tracePath } = await backend.close(null);
    lastTracePath = isTraceWritten ? tracePath : null;
    generation.isTraceWritten = isTraceWritten;
    become(isTraceWritten ? after : failed);
    return isTraceWritten;
  }

  async function evaluated(backend: ReplBackend, source: string, signal: AbortSignal): Promise<Done> {
    const startedAt = now();
    generation.evaluations += 1;
    const end = await backend.session.evaluate(source, signal);
    const durationMs = now() - startedAt;
    // What a form returned is no part of the history that can be printed again.
    const printed = end.kind === 'value' && end.outcome === 'continued' ? await backend.session.wholeValue() : null;
    const evaluation = evaluationOf({
      id: `evaluation-${generation.sequence}-${generation.evaluations}`,
      end,
      printed,
      durationMs,
      calls: backend.calls(),
    });
    generation.transcript.add(source, evaluation);
    if (end.ended) {
      generation.terminalReason = end.kind === 'failed' ? end.error.kind : 'run_timeout';
      await persisted('terminal', 'terminal_unpersisted');
    }
    return { ok: true, answer: members({ evaluation }) };
  }

  const within = (left: AbortSignal): AbortSignal =>
    AbortSignal.any([left, closing.signal, AbortSignal.timeout(operationMs)]);

  /** Something that an open session does. */
  async function withSession(
    left: AbortSignal,
    work: (backend: ReplBackend, signal: AbortSignal) => Promise<Done>,
  ): Promise<Done> {
    const ended = endedFault();
    if (ended !== null) return ended;
    return alone('evaluating', async () => {
      const signal = within(left);
      const found = await opened(signal);
      return found.ok && generation.backend !== null ? work(generation.backend, signal) : found;
    });
  }

  return {
    sessionId: () => generation.id,
    state: () => stateOf(generation, { revision, instance, mutationNonce, lastTracePath, now: now() }),
    evaluate: async (source, left) => withSession(left, async (backend, signal) => evaluated(backend, source, signal)),
    names: async (left) =>
      withSession(left, async ({ session }) => {
        const names = (await session.names()).filter((name) => name.length <= NAME_CHARACTERS);
        return { ok: true, answer: members({ names: names.slice(0, NAMES_MOST) }) };
      }),
    template: async (write) => {
      const { backend } = generation;
      return (
        endedFault() ??
        alone('templating', async () => write(async (runId) => backend === null || backend.hasRun(runId)))
      );
    },
    reset: async (left) =>
      alone('evaluating', async () => {
        if (!(await persisted('closed', 'persistence_failed'))) return refused('persistence_failed');
        generation.stop.abort();
        generation = newGeneration(generation.sequence + 1, now());
        become('evaluating');
        return opened(within(left));
      }),
    end: async () =>
      endedFault() ??
      alone('evaluating', async () =>
        (await persisted('closed', 'persistence_failed')) ? DONE : refused('persistence_failed'),
      ),
    close: async () => {
      closing.abort();
      await active;
      await persisted('closed', 'persistence_failed').catch(reportBug);
      generation.stop.abort();
    },
  };
}

function newGeneration(sequence: number, openedAt: number): Generation {
  return {
    id: randomSecret(),
    sequence,
    transcript: newTranscript(),
    lifecycle: 'never_started',
    backend: null,
    openedAt,
    stop: new AbortController(),
    evaluations: 0,
    calls: {},
    terminalReason: null,
    isTraceWritten: false,
  };
}

async function awaitAbort(signal: AbortSignal): Promise<null> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
    });
  return null;
}

interface StateFacts {
  readonly revision: number;
  readonly instance: string;
  readonly mutationNonce: string;
  /** Of the session that ended last; null where it has none. */
  readonly lastTracePath: string | null;
  readonly now: number;
}

function stateOf(
  generation: Generation,
  { revision, instance, mutationNonce, lastTracePath, now }: StateFacts,
): JsonObject {
  const { id, lifecycle, sequence, transcript, backend, openedAt, evaluations, calls, terminalReason, isTraceWritten } =
    generation;
  const {
    run_duration_ms: durationMs,
    subordinate_evaluations: mostEvaluations,
    mission_capability_calls: mostCalls,
    subordinate_source_bytes: sourceBytes,
  } = PROFILE_LIMITS;
  const granted = Object.values(backend === null ? calls : backend.calls()).reduce((all, count) => all + count, 0);
  return members({
    session_id: id,
    lifecycle,
    generation_sequence: sequence,
    projection_revision: revision,
    server_instance_id: instance,
    mutation_nonce: mutationNonce,
    session:
      backend === null && evaluations === 0
        ? null
        : members({
            profile_id: backend?.profile.id,
            profile_digest: backend?.profileDigest,
            namespaces: backend === null ? undefined : [...backend.profile.namespaces],
            evaluation_count: evaluations,
            terminal_reason: terminalReason,
            usage: members({
              evaluations,
              capability_calls: granted,
              remaining_ms: backend === null ? 0 : Math.max(0, Math.round(openedAt + durationMs - now)),
            }),
            snapshot:
              backend === null
                ? undefined
                : members(
                    Object.fromEntries(
                      [...backend.counts].map(([name, { files, runs }]) => [
                        name,
                        members({ file_count: files, run_count: runs }),
                      ]),
                    ),
                  ),
            trace: members({ 'written?': isTraceWritten }),
          }),
    limits: members({
      evaluations: mostEvaluations,
      capability_calls: mostCalls,
      source_bytes: sourceBytes,
      duration_ms: durationMs,
    }),
    transcript: [...transcript.entries()],
    transcript_omitted_count: transcript.omitted(),
    last_trace_path: lastTracePath,
  });
}
