import { randomFillSync } from 'node:crypto';
import { hostLostProblem } from '../../contract/diagnostics/messages/remedies.ts';
import { newRunReference, type RunReference } from '../../contract/run-reference.ts';
import { success } from '../../contract/outcome.ts';
import { linePosition } from '../../contract/json/line-position.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { EvaluateReply, EvaluateRequest, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import { evaluationSource } from '../calls/kernel/missions/evidence.ts';
import { programSource } from '../calls/kernel/missions/program.ts';
import { decodeGuestJson } from '../calls/evaluation/guest-json.ts';
import type { RunnableApplication } from '../run/application.ts';
import type { ProjectArtifacts } from '../run/destinations.ts';
import type { OpenEnvironments } from '../run/environments.ts';
import { evaluate } from '../run/evaluate.ts';
import { performRun, type RunReport } from '../run/perform-run.ts';
import type { RunProgram } from '../run/run-program.ts';
import type { RunTools } from '../run/run-request.ts';
import { lastingIsolate, type LastingIsolate } from '../run/workflow-isolates.ts';
import { missionEvents } from '../session/form-events.ts';
import { openFormHistory, type FormHistory } from '../session/kept-forms.ts';
import { countCalls, type CallCounts } from './count-calls.ts';
import type { ProgramEnd, ProgramError } from './program-end.ts';
import { cutOf, howToReach } from './shown-value.ts';

/** What the programs of a session see now: one mission. */
export interface SessionRoom {
  readonly application: RunnableApplication;
  readonly mission: string;
  /** Compiled bundle of its components; null without any. */
  readonly code: string | null;
  /** JSON texts by name, as `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  readonly openEnvironments: OpenEnvironments;
}

export interface ProgramSessionOptions {
  /** Names it in evidence; isolates of one session share a process with no other's. */
  readonly id: string;
  readonly tools: RunTools;
  /** Whose session it is. */
  readonly tenant: string;
  /** Asked before each program: servers come and go. */
  readonly room: () => Promise<SessionRoom>;
  /** What each run leaves; null: nothing. */
  readonly artifacts: ProjectArtifacts | null;
  /** Milliseconds after a program until its isolate is given up; definitions are kept as text. */
  readonly idleMs: number;
}

/** What one program is evaluated with. */
export interface ProgramRequest {
  readonly program: string;
  /** Characters of its value. */
  readonly valueChars: number;
  /** Lower than the limit of the room; absent: that. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Told how many calls were made by now. */
  readonly onCall?: (calls: number) => void;
}

/** Programs that see each other's definitions, each in a run of its own (code-mode.md §5). One at a time. */
export interface ProgramSession {
  readonly id: string;
  /** Aborting gives the program up: what was defined before it stays. Never rejects. */
  evaluate(request: ProgramRequest): Promise<ProgramEnd>;
  /** Forgets all definitions and values. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const encoder = new TextEncoder();
/** For what is shown of a value that is there already. */
const PREVIEW_TIMEOUT_MS = 5000;

export function openProgramSession(options: ProgramSessionOptions): ProgramSession {
  const { tools, id } = options;
  let memory: FormHistory | null = null;
  let isolate: LastingIsolate | null = null;
  let idle: NodeJS.Timeout | undefined;
  let runs = 0;
  let code: string | null = null;

  async function dropIsolate(): Promise<void> {
    const ending = isolate;
    isolate = null;
    memory?.lose();
    await ending?.close();
  }

  function isolateOf(room: SessionRoom, sandbox: Sandbox): LastingIsolate {
    isolate ??= lastingIsolate({
      take: async () => ({
        isolate: await sandbox.openIsolate({
          environment: 'mission',
          trustDomain: id,
          heapWords: room.application.limits.evaluation_heap_words,
        }),
        bundle: room.code,
      }),
      giveBack: (given) => given.dispose(),
    });
    return isolate;
  }

  async function evaluateIn(room: SessionRoom, request: ProgramRequest): Promise<ProgramEnd> {
    const { limits } = room.application;
    const runRef = newRunReference(randomFillSync);
    const bytes = encoder.encode(request.program).length;
    if (bytes > limits.subordinate_source_bytes)
      return refused(runRef, {
        kind: 'program_too_large',
        message: `the program has ${bytes} bytes; ${limits.subordinate_source_bytes} are allowed (subordinate_source_bytes)`,
        place: null,
        remedy: 'define functions in one program and call them in the next',
      });
    memory ??= openFormHistory({
      memoryBytes: limits.evaluation_memory_bytes,
      historyBytes: limits.evaluation_history_bytes,
    });
    // Other components are another program; definitions stay.
    if (code !== room.code) await dropIsolate();
    code = room.code;
    runs += 1;
    const calls = countCalls(request.onCall);
    const timeoutMs = Math.min(request.timeoutMs ?? limits.evaluation_timeout_ms, limits.evaluation_timeout_ms);
    const form = new ProgramForm({ room, request, memory, timeoutMs, isolateOf, dropIsolate });
    const report = await performRun(tools, {
      runRef,
      trustDomain: options.tenant,
      signal: request.signal,
      session: { id, index: runs },
      source: {
        locate: async () =>
          success({
            project: options.artifacts,
            load: async () => success({ application: room.application, openEnvironments: room.openEnvironments }),
          }),
      },
      explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
      program: form,
      observer: calls.observer,
      onEvaluated: () => undefined,
    });
    return endOf(report, form.end, calls);
  }

  return {
    id,
    async evaluate(request) {
      clearTimeout(idle);
      const end = await evaluateIn(await options.room(), request);
      idle = setTimeout(() => void dropIsolate(), options.idleMs).unref();
      return end;
    },
    async reset() {
      await dropIsolate();
      memory = null;
    },
    async close() {
      clearTimeout(idle);
      await dropIsolate();
    },
  };
}

/** What the form itself came to, whatever becomes of its run. */
type FormOutcome = ValueShown | FailedWith | { readonly kind: 'error'; readonly error: ProgramError };
type OfRun = 'runRef' | 'prints' | 'calls' | 'hasEvidence';
type ValueShown = Omit<Extract<ProgramEnd, { readonly kind: 'value' }>, OfRun>;
type FailedWith = Omit<Extract<ProgramEnd, { readonly kind: 'failed' }>, OfRun>;

type ShownAs = Pick<EvaluateRequest, 'projection' | 'observation_characters'>;

interface FormOptions {
  readonly room: SessionRoom;
  readonly request: ProgramRequest;
  readonly memory: FormHistory;
  readonly timeoutMs: number;
  readonly isolateOf: (room: SessionRoom, sandbox: Sandbox) => LastingIsolate;
  readonly dropIsolate: () => Promise<void>;
}

/** One program as what its run evaluates. */
class ProgramForm implements RunProgram {
  readonly timeoutMs: number;
  readonly #options: FormOptions;
  #outcome: FormOutcome | null = null;
  #prints: readonly string[] = [];

  constructor(options: FormOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs;
  }

  /** Null: it was not begun, or its run was ended under it. */
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
    const ask = async (source: string, id: string, until: number, projection: ShownAs): Promise<Evaluated> =>
      evaluate(
        run,
        {
          evaluationId: id,
          mission: room.mission,
          source,
          data: room.data,
          deadlineAt: until,
          signal: request.signal,
          projection: { ...projection, ...memory.request() },
        },
        isolates,
      );
    const evaluated = await ask(request.program, evaluationId, deadlineAt, { projection: 'json' });
    if (evaluated.kind !== 'replied') {
      await dropIsolate();
      this.#outcome = { kind: 'error', error: lossError(evaluated, this.timeoutMs) };
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
      const fault = fullFault(reply.commit_refusal, room);
      this.#outcome = { kind: 'error', error: { ...faultError(fault, request.program), remedy: FULL_REMEDY } };
      return { kind: 'replied', reply: { outcome: 'evaluation_error', fault, prints: reply.prints } };
    }
    memory.keep(reply);
    const value = await jsonOf(reply);
    if (reply.value !== null && value !== undefined && reply.value.length <= request.valueChars) {
      this.#outcome = { kind: 'value', value, text: reply.value, cut: null, how: null };
      return evaluated;
    }
    const text = await this.#preview(reply, ask, run.clock.monotonic() + PREVIEW_TIMEOUT_MS, evaluationId);
    const cut = cutOf(text);
    this.#outcome = { kind: 'value', value: undefined, text, cut, how: howToReach(cut, reply.outcome) };
    // What leaves the run is what whoever asked for it was given, where the value itself may not leave.
    const isAdmitted =
      reply.value !== null && Buffer.byteLength(reply.value) <= room.application.limits.terminal_result_bytes;
    return isAdmitted
      ? evaluated
      : { kind: 'replied', reply: { ...reply, value: JSON.stringify(text.toWellFormed()), projection_fault: null } };
  }

  /** The value that was kept as `*1`; of one that was returned, and is not kept, what its JSON begins with. */
  async #preview(
    reply: Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>,
    ask: (source: string, id: string, until: number, projection: ShownAs) => Promise<Evaluated>,
    until: number,
    evaluationId: string,
  ): Promise<string> {
    const { memory, request, dropIsolate } = this.#options;
    if (reply.outcome === 'returned') return cutReturned(reply, request.valueChars);
    const shown = await ask('(return *1)', `${evaluationId}-value`, until, {
      projection: 'json',
      observation_characters: request.valueChars,
    });
    if (shown.kind !== 'replied') {
      await dropIsolate();
      return 'the value is in *1, and could not be shown';
    }
    memory.keep(shown.reply);
    if (shown.reply.outcome === 'evaluation_error') return shown.reply.fault.message;
    return shown.reply.observation?.text ?? shown.reply.value ?? '';
  }
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
  const kept = value.slice(0, characters - notice.length).toWellFormed();
  return `${kept}\n;; cut: ${kept.length} of ${value.length} characters`;
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

const FULL_REMEDY = 'keep less, or forget all definitions and values with "reset": true';

/** A success that cannot be kept is none: nothing of it is there for the next program. */
function fullFault(refusal: string | undefined, { application: { limits } }: SessionRoom): EvaluationFault {
  const message =
    refusal === 'history_exceeded'
      ? `the value is larger than the ${limits.evaluation_history_bytes} bytes that *1, *2 and *3 may have (evaluation_history_bytes)`
      : `the definitions are larger than the ${limits.evaluation_memory_bytes} bytes that a session may keep (evaluation_memory_bytes)`;
  return { reason: 'memory_exceeded', message, span: null, details: {}, exception_class: null, public_error: null };
}

function faultError({ reason, message, span, report }: EvaluationFault, source: string): ProgramError {
  const told = report?.message ?? message;
  if (span === null) return { kind: reason, message: told, place: null, remedy: null };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message: told, place: { line, column }, remedy: null };
}

function lossError(evaluated: Exclude<Evaluated, { readonly kind: 'replied' }>, timeoutMs: number): ProgramError {
  const error = (kind: string, message: string, remedy: string | null = null): ProgramError => ({
    kind,
    message,
    place: null,
    remedy,
  });
  if (evaluated.kind === 'not_attached') return error(evaluated.fault.reason, evaluated.fault.message);
  switch (evaluated.loss) {
    case 'timeout':
      return error('timeout', `the program took longer than ${timeoutMs} ms`, 'do less in one program');
    case 'memory_exceeded':
      return error('memory_exceeded', 'the program needed more memory than it may have', 'hold less at one time');
    case 'cancelled':
      return error('cancelled', 'the program was cancelled');
    case 'host_lost':
      return error('memory_exceeded', hostLostProblem(evaluated.signal));
    case 'host_dishonest':
      return error('internal_error', 'the sandbox gave no valid answer');
  }
}

function refused(runRef: RunReference, error: ProgramError): ProgramEnd {
  return { kind: 'error', runRef, prints: [], calls: [], hasEvidence: true, error };
}

/** A run that could not be opened, or kept on record, says so in its own words. */
function endOf(
  { envelope }: RunReport,
  { outcome, prints }: { readonly outcome: FormOutcome | null; readonly prints: readonly string[] },
  calls: CallCounts,
): ProgramEnd {
  const { trace, inspection } = envelope.artifact_state;
  const facts = {
    runRef: envelope.run_ref,
    prints,
    calls: calls.counts(),
    hasEvidence: [trace, inspection].every((state) => state === 'written' || state === 'not_requested'),
  };
  if (outcome !== null) return { ...facts, ...outcome };
  if (envelope.status === 'ok') throw new Error('a program that ended came to something');
  const { code: kind, message } = envelope.error;
  return { ...facts, kind: 'error', error: { kind, message, place: null, remedy: null } };
}
