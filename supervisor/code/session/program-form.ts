import type { JsonValue } from '../../../contract/json/value.ts';
import type {
  DefinitionSize,
  EvaluateReply,
  EvaluateRequest,
  EvaluationFault,
} from '../../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { Evaluated } from '../../calls/evaluation/evaluated.ts';
import { decodeGuestJson } from '../../calls/evaluation/guest-json.ts';
import { evaluationSource } from '../../calls/kernel/missions/evidence.ts';
import { programSource } from '../../calls/kernel/missions/program.ts';
import { evaluate } from '../../run/evaluate.ts';
import type { RunProgram } from '../../run/run-program.ts';
import type { LastingIsolate } from '../../run/workflow-isolates.ts';
import { missionEvents } from '../../run/forms/form-events.ts';
import type { FormHistory } from '../../run/forms/form-history.ts';
import type { ProgramEnd, ProgramError } from './program-end.ts';
import { faultError, LESS_REMEDY, lossError, unstoredFault, unstoredRemedy, unshownFault } from './program-errors.ts';
import type { SessionRoom } from './session-room.ts';
import { cutOf, howToReach } from './shown-value.ts';

/** For what is shown of a value that is there already. */
const PREVIEW_TIMEOUT_MS = 5000;

/** How many of the definitions of a session that is full are named. */
const LARGEST = 3;

/** What one program is evaluated with. */
export interface ProgramRequest {
  readonly program: string;
  /** Characters of its value. */
  readonly valueChars: number;
  /** Lower than the limit of the room; absent: that. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Called with the number of calls made so far. */
  readonly onCall?: (calls: number) => void;
  /** Who is asked about calls that need a person's yes; absent: its session may name any. */
  readonly asker?: ApprovalAsker;
}

/** What the form itself came to, whatever becomes of its run. */
export type FormOutcome = ValueShown | FailedWith | { readonly kind: 'error'; readonly error: ProgramError };
type OfRun = 'runRef' | 'prints' | 'calls' | 'hasEvidence';
type ValueShown = Omit<Extract<ProgramEnd, { readonly kind: 'value' }>, OfRun>;
type FailedWith = Omit<Extract<ProgramEnd, { readonly kind: 'failed' }>, OfRun>;

type ShownAs = Pick<EvaluateRequest, 'projection' | 'observation_characters' | 'commit'>;

type Ask = (source: string, id: string, until: number, projection: ShownAs) => Promise<Evaluated>;

interface FormOptions {
  readonly room: SessionRoom;
  readonly request: ProgramRequest;
  readonly memory: FormHistory;
  readonly timeoutMs: number;
  readonly isolateOf: (room: SessionRoom, sandbox: Sandbox) => LastingIsolate;
  readonly dropIsolate: () => Promise<void>;
}

/** One program as what its run evaluates. */
export class ProgramForm implements RunProgram {
  readonly timeoutMs: number;
  readonly #options: FormOptions;
  #outcome: FormOutcome | null = null;
  #prints: readonly string[] = [];

  constructor(options: FormOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs;
  }

  /** Null: it was not started, or its run was ended under it. */
  get end(): { readonly outcome: FormOutcome | null; readonly prints: readonly string[] } {
    return { outcome: this.#outcome, prints: this.#prints };
  }

  started(evaluationId: string): ReturnType<RunProgram['started']> {
    return this.#events(evaluationId).started;
  }

  stopped(evaluationId: string, { evaluated, durationMs }: Parameters<RunProgram['stopped']>[1]) {
    return this.#events(evaluationId).stopped(evaluated, durationMs, this.#options.memory);
  }

  #events(evaluationId: string): ReturnType<typeof missionEvents> {
    const { room, request } = this.#options;
    return missionEvents(evaluationId, room.mission, request.program);
  }

  async evaluate(
    run: Parameters<RunProgram['evaluate']>[0],
    evaluationId: string,
    deadlineAt: number,
  ): Promise<Evaluated> {
    const { room, request, memory, isolateOf, dropIsolate } = this.#options;
    const isolates = isolateOf(room, run.sandbox);
    const name = { evaluationId, mission: room.mission, parent: null };
    if (run.inspection.isRequested) await run.inspection.record(evaluationSource(name, programSource(request.program)));
    const ask: Ask = async (source, id, until, projection) =>
      evaluate(
        run,
        {
          evaluationId: id,
          mission: room.mission,
          source,
          data: room.data,
          deadlineAt: until,
          signal: request.signal,
          projection: { ...memory.request(), ...projection },
        },
        isolates,
      );
    const evaluated = await ask(request.program, evaluationId, deadlineAt, { projection: 'json' });
    if (evaluated.kind !== 'replied') {
      await dropIsolate();
      const { limits } = room.application;
      const isFull =
        evaluated.kind === 'lost' && (evaluated.loss === 'memory_exceeded' || evaluated.loss === 'host_lost');
      const until = run.clock.monotonic() + PREVIEW_TIMEOUT_MS;
      this.#outcome = {
        kind: 'error',
        error: lossError(evaluated, {
          timeoutMs: this.timeoutMs,
          longestMs: limits.evaluation_timeout_ms,
          runMs: limits.run_duration_ms,
          heapWords: limits.evaluation_heap_words,
          storedBytes: storedBytes(memory),
          largest: isFull ? await this.#largest(ask, until, evaluationId) : [],
        }),
      };
      return evaluated;
    }
    const { reply } = evaluated;
    this.#prints = reply.prints;
    if (reply.outcome === 'evaluation_error') {
      memory.keep(reply);
      this.#outcome = { kind: 'error', error: faultError(reply.fault, request.program) };
      return evaluated;
    }
    if (reply.outcome === 'failed') {
      memory.keep(reply);
      this.#outcome = { kind: 'failed', value: await jsonOf(reply), text: reply.value ?? 'a value that is no JSON' };
      return evaluated;
    }
    if (reply.continuation === undefined) {
      await dropIsolate();
      const fault = unstoredFault(reply, room);
      this.#outcome = {
        kind: 'error',
        error: { ...faultError(fault, request.program), remedy: unstoredRemedy(reply) },
      };
      return { kind: 'replied', reply: { outcome: 'evaluation_error', fault, prints: reply.prints } };
    }
    const goBack = memory.mark();
    memory.keep(reply);
    const value = await jsonOf(reply);
    const shownUntil = run.clock.monotonic() + PREVIEW_TIMEOUT_MS;
    const fits = reply.value !== null && value !== undefined && reply.value.length <= request.valueChars;
    if (fits && !(await this.#isOpaque(reply, ask, shownUntil, evaluationId))) {
      this.#outcome = { kind: 'value', value, text: reply.value, cut: null, how: null };
      return evaluated;
    }
    const text = await this.#preview(reply, ask, shownUntil, evaluationId);
    if (text === null) {
      // Every program after it would fail as its preview did.
      goBack();
      const fault = unshownFault(room);
      this.#outcome = { kind: 'error', error: { ...faultError(fault, request.program), remedy: LESS_REMEDY } };
      return { kind: 'replied', reply: { outcome: 'evaluation_error', fault, prints: reply.prints } };
    }
    const cut = cutOf(text);
    this.#outcome = { kind: 'value', value: undefined, text, cut, how: howToReach(cut, reply.outcome) };
    // What leaves the run is what the person who asked for it was given, where the value itself may not leave.
    const isAdmitted =
      reply.value !== null && Buffer.byteLength(reply.value) <= room.application.limits.terminal_result_bytes;
    return isAdmitted
      ? evaluated
      : { kind: 'replied', reply: { ...reply, value: JSON.stringify(text.toWellFormed()), projection_fault: null } };
  }

  /**
   * The largest of the definitions that are kept: a guest says so of those that it may not keep, here because they
   * have one byte too many.
   */
  async #largest(ask: Ask, until: number, evaluationId: string): Promise<readonly DefinitionSize[]> {
    const { memory, dropIsolate } = this.#options;
    const continuation = memory.continuation();
    if (continuation === null || continuation.memoryBytes === 0) return [];
    const values = continuation.historyBytes === 0 ? [] : [{ name: '*1, *2 and *3', bytes: continuation.historyBytes }];
    const commit = { memory_bytes: continuation.memoryBytes - 1, history_bytes: continuation.historyBytes };
    const requested = await ask('(return nil)', `${evaluationId}-sizes`, until, { projection: 'json', commit });
    await dropIsolate();
    const largest =
      requested.kind !== 'replied' || requested.reply.outcome === 'evaluation_error' ? [] : requested.reply.largest;
    return [...(largest ?? []), ...values].toSorted((one, other) => other.bytes - one.bytes).slice(0, LARGEST);
  }

  /**
   * Whether a value that projects as a text is none: a function, an atom, a pattern (language.md §18). Only the isolate
   * can say so, and only of what begins as such a projection it is asked.
   */
  async #isOpaque(
    { outcome, value }: Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>,
    ask: Ask,
    until: number,
    evaluationId: string,
  ): Promise<boolean> {
    if (outcome === 'returned' || value?.startsWith('"#') !== true) return false;
    const requested = await ask('(return (string? *1))', `${evaluationId}-kind`, until, { projection: 'json' });
    if (requested.kind !== 'replied') {
      await this.#options.dropIsolate();
      return false;
    }
    this.#options.memory.keep(requested.reply);
    return requested.reply.outcome === 'returned' && requested.reply.value === 'false';
  }

  /**
   * The value that was kept as `*1`; of one that was returned, and is not kept, what its JSON begins with. Null: there
   * is no memory for it beside what the session holds.
   */
  async #preview(
    reply: Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>,
    ask: Ask,
    until: number,
    evaluationId: string,
  ): Promise<string | null> {
    const { memory, request, dropIsolate } = this.#options;
    if (reply.outcome === 'returned') return cutReturned(reply, request.valueChars);
    const shown = await ask('(return *1)', `${evaluationId}-value`, until, {
      projection: 'json',
      observation_characters: request.valueChars,
    });
    if (shown.kind !== 'replied') {
      await dropIsolate();
      const isFull = shown.kind === 'lost' && shown.loss === 'memory_exceeded';
      return isFull ? null : 'the value is in *1, and could not be shown';
    }
    memory.keep(shown.reply);
    if (shown.reply.outcome === 'evaluation_error') return shown.reply.fault.message;
    return shown.reply.observation?.text ?? shown.reply.value ?? '';
  }
}

function storedBytes(memory: FormHistory): number {
  const continuation = memory.continuation();
  return continuation === null ? 0 : continuation.memoryBytes + continuation.historyBytes;
}

function cutReturned(
  {
    value,
    projection_fault: fault,
  }: { readonly value: string | null; readonly projection_fault: EvaluationFault | null },
  characters: number,
): string {
  if (value === null) return fault?.message ?? '';
  const notice = `\n;; cut: ${characters} of ${value.length} characters`;
  const shown = value.slice(0, characters - notice.length).toWellFormed();
  return `${shown}\n;; cut: ${shown.length} of ${value.length} characters`;
}

async function jsonOf({
  value,
  projection_fault: fault,
}: {
  readonly value: string | null;
  readonly projection_fault: EvaluationFault | null;
}): Promise<JsonValue | undefined> {
  if (value === null || fault !== null) return undefined;
  return (await decodeGuestJson(value))?.value;
}
