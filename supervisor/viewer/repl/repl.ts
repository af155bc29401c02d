import type { JsonObject } from '../../../contract/json/value.ts';
import { members } from '../../history/analysis/members.ts';
import { PROFILE_LIMITS } from '../../session/profiles/contract.ts';
import { randomSecret } from '../secrets.ts';
import type { ReplBackend } from './backend.ts';
import { Generation, type GenerationOptions } from './generation.ts';
import { Operations, refused, type Done, type Lifecycle } from './operations.ts';

/** Milliseconds of one operation, the opening of the session included. */
const OPERATION_MS = 25_000;
/** Names that a page completes from, and characters of one. */
const NAMES_MOST = 4096;
const NAME_CHARACTERS = 128;

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

export interface ReplOptions extends GenerationOptions {
  /** Of this process; every change must carry it. */
  readonly mutationNonce: string;
  readonly operationMs?: number;
}

const DONE: Done = { ok: true, answer: new Map() };

export function newRepl({ open, mutationNonce, now, reportBug, operationMs = OPERATION_MS }: ReplOptions): Repl {
  const instance = randomSecret();
  const closing = new AbortController();
  const operations = new Operations(reportBug);
  const options: GenerationOptions = { open, now, reportBug };
  let generation = new Generation(1, options);
  let lastTracePath: string | null = null;

  const within = (left: AbortSignal): AbortSignal =>
    AbortSignal.any([left, closing.signal, AbortSignal.timeout(operationMs)]);

  /** After an operation that changed nothing else. */
  const resting = (): Lifecycle => (generation.backend() === null ? 'never_started' : 'open');

  /** Ends the session; the lifecycle that follows is `after`, unless its trace could not be written. */
  async function persist(after: Lifecycle, failed: Lifecycle): Promise<boolean> {
    const ended = await generation.end();
    if (ended !== null) lastTracePath = ended === 'unwritten' ? null : ended.tracePath;
    operations.become(ended === 'unwritten' ? failed : after);
    return ended !== 'unwritten';
  }

  /** Something that an open session does. */
  async function withBackend(signal: AbortSignal, work: (backend: ReplBackend) => Promise<Done>): Promise<Done> {
    const opened = await generation.open(signal);
    if (opened === 'start_timeout') return refused('start_timeout');
    return opened.ok ? work(opened.value) : { ok: false, fault: 'not_opened', refusal: opened };
  }

  return {
    sessionId: () => generation.id,
    state: () =>
      members({
        session_id: generation.id,
        lifecycle: operations.lifecycle(),
        generation_sequence: generation.sequence,
        projection_revision: operations.revision(),
        server_instance_id: instance,
        mutation_nonce: mutationNonce,
        session: generation.members(),
        limits: LIMITS,
        transcript: [...generation.transcript.entries()],
        transcript_omitted_count: generation.transcript.omitted(),
        last_trace_path: lastTracePath,
      }),
    evaluate: async (source, left) => {
      const work = async (): Promise<Done> => {
        const signal = within(left);
        return withBackend(signal, async (backend) => {
          const { evaluation, hasEnded } = await generation.evaluate(backend, source, signal);
          if (hasEnded) await persist('terminal', 'terminal_unpersisted');
          return { ok: true, answer: members({ evaluation }) };
        });
      };
      return operations.aloneWhileLiving('evaluating', work, resting);
    },
    names: async (left) => {
      const work = async (): Promise<Done> =>
        withBackend(within(left), async ({ session }) => {
          const names = (await session.names()).filter((name) => name.length <= NAME_CHARACTERS);
          return { ok: true, answer: members({ names: names.slice(0, NAMES_MOST) }) };
        });
      return operations.aloneWhileLiving('evaluating', work, resting);
    },
    template: async (write) => {
      const backend = generation.backend();
      const work = async (): Promise<Done> => write(async (runId) => backend === null || backend.hasRun(runId));
      return operations.aloneWhileLiving('templating', work, resting);
    },
    reset: async (left) => {
      const work = async (): Promise<Done> => {
        if (!(await persist('closed', 'persistence_failed'))) return refused('persistence_failed');
        generation.stop();
        generation = new Generation(generation.sequence + 1, options);
        operations.become('evaluating');
        return withBackend(within(left), async () => DONE);
      };
      return operations.alone('evaluating', work, resting);
    },
    end: async () => {
      const work = async (): Promise<Done> =>
        (await persist('closed', 'persistence_failed')) ? DONE : refused('persistence_failed');
      return operations.aloneWhileLiving('evaluating', work, resting);
    },
    close: async () => {
      closing.abort();
      await operations.idle();
      await persist('closed', 'persistence_failed').catch(reportBug);
      generation.stop();
    },
  };
}

const LIMITS = members({
  evaluations: PROFILE_LIMITS.subordinate_evaluations,
  capability_calls: PROFILE_LIMITS.mission_capability_calls,
  source_bytes: PROFILE_LIMITS.subordinate_source_bytes,
  duration_ms: PROFILE_LIMITS.run_duration_ms,
});
