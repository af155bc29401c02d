import { linePosition } from '../../contract/json/line-position.ts';
import type { EvaluateReply, EvaluationFault, ReadReply } from '../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../evaluation/evaluated.ts';
import type { EvaluationLoss } from '../evaluation/losses.ts';
import type { Clock } from '../evidence/clock.ts';
import { workflowEvaluationStarted, workflowEvaluationStopped } from '../evidence/event.ts';
import type { TraceEvent } from '../evidence/event.ts';
import { closeRun, withRun } from '../run/close-run.ts';
import { evaluate } from '../run/evaluate.ts';
import type { WorkflowProgram } from '../run/evaluate.ts';
import type { Run } from '../run/run.ts';
import { sealRun } from '../run/seal.ts';
import type { SealedRun } from '../run/seal.ts';
import { freshIsolates, freshMissionIsolates, lastingIsolate } from '../run/workflow-isolates.ts';
import { evaluationStarted, evaluationStopped } from '../kernel/missions/evidence.ts';
import { programSource } from '../kernel/missions/program.ts';
import { keptForms } from './kept-forms.ts';
import type { KeptForms } from './kept-forms.ts';
import type { LastingIsolate } from '../run/workflow-isolates.ts';
import type { SessionLimits } from './limits.ts';

/** Why a form failed: the reason of language.md §17, or of the limit that ended it, and what happened. */
export interface FormError {
  readonly kind: string;
  readonly message: string;
  /** Where in the text, from 1; null where it has no particular place. */
  readonly place: { readonly line: number; readonly column: number } | null;
}

/** How one form ended. */
export type FormEnd = FormFacts & (
  /** Preview of its value (language.md §18), or its JSON; that of `(return v)` is v itself. `isUnavailable`: it is no JSON. */
  | { readonly kind: 'value'; readonly text: string; readonly isUnavailable?: true }
  | { readonly kind: 'failed'; readonly error: FormError }
);

interface FormFacts {
  readonly prints: readonly string[];
  /** Generated JavaScript, when it was asked for and there is any. */
  readonly code: string | null;
  /** The isolate had to be given up: whether the next one has all that earlier forms had made, or what could be written down of it. Null: it lives. */
  readonly recovered: 'all' | 'part' | null;
  /** What the evaluation came to; null where it was not begun, or is lost. */
  readonly outcome: EvaluateReply['outcome'] | null;
  /** Set when a limit of the whole session was reached: it evaluates nothing more. */
  readonly ended: boolean;
}

/** A session of forms that see each other's definitions (language.md §12). One request at a time. */
export interface Session {
  /** Whether a text is ready to be evaluated; `complete` when the sandbox cannot tell. */
  readiness(source: string): Promise<ReadReply['status']>;
  /** Evaluates one form or script as one transaction. Aborting gives it up, and the isolate with it. */
  evaluate(source: string, signal: AbortSignal): Promise<FormEnd>;
  /** Bytes of one form or script. */
  readonly sourceBytes: number;
  /** Whether a limit of the whole session has been reached. */
  hasEnded(): boolean;
  /** What its run left; null where none was opened. */
  close(): Promise<SealedRun | null>;
}

/** The mission of a session, with its bundle; null without components. */
export interface SessionMission {
  readonly name: string;
  readonly code: string | null;
}

export interface SessionOptions {
  /** The run of the session, or what opens it with its first form. */
  readonly run: Run | (() => Promise<Run>);
  /** Where forms are evaluated; absent: in the workflow. */
  readonly mission?: SessionMission;
  /** A text that every isolate evaluates before its first form; absent: none. */
  readonly prelude?: string;
  readonly clock: Clock;
  readonly limits: SessionLimits;
  /** Names callable as `tool/<name>`; absent: all that the run grants. */
  readonly tools?: readonly string[];
  /** JSON texts by name, as `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  /** How values leave; absent: as previews. */
  readonly projection?: 'preview' | 'json';
  /** UTF-16 units of a preview. */
  readonly previewCharacters: number;
  readonly showCode: boolean;
}

/** Reading a form runs nothing of it; the bound is that of compiling (language.md §20). */
const READ_TIMEOUT_MS = 5000;

const encoder = new TextEncoder();

interface OpenedSession {
  readonly run: Run;
  readonly isolate: LastingIsolate;
}

/**
 * A session in one run: its forms are evaluated there one after the other, in one isolate. When that is lost, by a timeout,
 * a full memory or an interruption, the next form finds a fresh one.
 */
export function openSession(options: SessionOptions): Session {
  const { clock, limits } = options;
  const deadline = clock.monotonic() + limits.durationMs;
  let opened: Promise<OpenedSession> | null = typeof options.run === 'function' ? null : Promise.resolve(session(options.run, options.mission));
  let evaluations = 0;
  const memory = keptForms(limits);
  let hasBegun = false;

  const open = async (): Promise<OpenedSession> => {
    const run = typeof options.run === 'function' ? await options.run() : options.run;
    return session(run, options.mission);
  };

  /** The limit of the whole session that is reached, as an error. */
  function sessionEnd(): FormError | null {
    if (clock.monotonic() >= deadline) return plainError('run_timeout', `the session has had its ${limits.durationMs} ms`);
    if (evaluations < limits.evaluations) return null;
    return plainError('runtime_limit_exceeded', `the session has had its ${limits.evaluations} evaluations`);
  }

  async function evaluateForm(source: string, signal: AbortSignal): Promise<FormEnd> {
    const over = sessionEnd();
    if (over !== null) return { ...NOTHING, kind: 'failed', error: over, ended: true };
    const bytes = encoder.encode(source).length;
    if (bytes > limits.sourceBytes) {
      const error = plainError('program_too_large', `the source has ${bytes} bytes; ${limits.sourceBytes} are allowed`);
      return { ...NOTHING, kind: 'failed', error };
    }
    evaluations += 1;
    await begin();
    const remaining = deadline - clock.monotonic();
    const timeoutMs = Math.min(limits.evaluationTimeoutMs, remaining);
    const evaluated = await evaluateOnRecord(await (opened ??= open()), { ...formOf(source, signal), deadlineAt: clock.monotonic() + timeoutMs }, memory);
    switch (evaluated.kind) {
      case 'lost': {
        const ended = evaluated.loss === 'timeout' && remaining <= limits.evaluationTimeoutMs;
        const error = ended ? plainError('run_timeout', `the session has had its ${limits.durationMs} ms`) : lossError(evaluated.loss, timeoutMs);
        return { ...NOTHING, kind: 'failed', error, recovered: memory.lose(), ended };
      }
      case 'not_attached':
        return { ...NOTHING, kind: 'failed', error: plainError(evaluated.fault.reason, evaluated.fault.message) };
      case 'replied': {
        return formEnd(evaluated.reply, source, options.projection === 'json');
      }
    }
  }

  /** What every form finds, once: it is kept like any other definition. */
  async function begin(): Promise<void> {
    if (hasBegun || options.prelude === undefined) return;
    const { run, isolate } = await (opened ??= open());
    const signal = new AbortController().signal;
    const evaluated = await evaluate(run, { ...formOf(options.prelude, signal), evaluationId: run.newEvaluationId(), deadlineAt: deadline }, isolate);
    if (evaluated.kind !== 'replied') return;
    memory.keep(evaluated.reply);
    hasBegun = true;
  }

  function formOf(source: string, signal: AbortSignal): Omit<WorkflowProgram, 'evaluationId' | 'deadlineAt'> {
    const { tools, data, previewCharacters, showCode, mission, projection = 'preview' } = options;
    return {
      source,
      data,
      signal,
      projection: { projection, preview_characters: previewCharacters, show_code: showCode, ...memory.request() },
      ...(tools === undefined ? {} : { tools }),
      ...(mission === undefined ? {} : { mission: mission.name }),
    };
  }

  return {
    sourceBytes: limits.sourceBytes,
    evaluate: evaluateForm,
    hasEnded: () => sessionEnd() !== null,

    async readiness(source) {
      if (encoder.encode(source).length > limits.sourceBytes) return 'complete';
      const { isolate } = await (opened ??= open());
      const outcome = await (await isolate.current()).request({ operation: 'read', source }, { timeoutMs: READ_TIMEOUT_MS });
      return outcome.status === 'replied' ? outcome.reply.status : 'complete';
    },

    async close() {
      if (opened === null) return null;
      const { run, isolate } = await opened;
      await isolate.close();
      return withRun(run, async () => sealRun(run, await closeRun(run), { kind: 'none' }));
    },
  };
}

function session(run: Run, mission: SessionMission | undefined): OpenedSession {
  return { run, isolate: lastingIsolate(mission === undefined ? freshIsolates(run) : freshMissionIsolates(run, mission.code)) };
}

/** Evaluates a form between its two events (evidence.md §3). */
async function evaluateOnRecord({ run, isolate }: OpenedSession, form: Omit<WorkflowProgram, 'evaluationId'>, memory: KeptForms): Promise<Evaluated> {
  const { recorder, clock } = run;
  const evaluationId = run.newEvaluationId();
  const events = form.mission === undefined ? workflowEvents(evaluationId) : missionEvents(evaluationId, form.mission, form.source);
  recorder.record(events.started);
  const startedAt = clock.monotonic();
  const evaluated = await evaluate(run, { ...form, evaluationId }, isolate);
  if (evaluated.kind === 'replied') memory.keep(evaluated.reply);
  recorder.record(events.stopped(evaluated.kind === 'replied' ? evaluated.reply.outcome : 'evaluation_error', clock.monotonic() - startedAt, memory));
  return evaluated;
}

interface FormEvents {
  readonly started: TraceEvent;
  readonly stopped: (outcome: EvaluateReply['outcome'], durationMs: number, memory: KeptForms) => TraceEvent;
}

function workflowEvents(evaluationId: string): FormEvents {
  return {
    started: workflowEvaluationStarted(evaluationId),
    stopped: (outcome, durationMs) => workflowEvaluationStopped(evaluationId, outcome === 'continued' || outcome === 'returned' ? 'ok' : 'error', durationMs),
  };
}

function missionEvents(evaluationId: string, mission: string, source: string): FormEvents {
  const name = { evaluationId, mission, parent: null };
  return {
    started: evaluationStarted(name, programSource(source)),
    stopped: (status, durationMs, memory) => evaluationStopped(name, { status, durationMs: Math.max(0, Math.round(durationMs)), stored: { continuation: memory.continuation() } }),
  };
}

const NOTHING = { prints: [], code: null, recovered: null, outcome: null, ended: false } as const satisfies FormFacts;

function formEnd(reply: EvaluateReply, source: string, isJson: boolean): FormEnd {
  const facts = { ...NOTHING, prints: reply.prints, code: reply.code ?? null, outcome: reply.outcome };
  if (reply.outcome === 'evaluation_error') return { ...facts, kind: 'failed', error: faultError(reply.fault, source) };
  // What a form defined is kept, though its value is no JSON.
  if (isJson && reply.projection_fault !== null && reply.outcome !== 'failed') return { ...facts, kind: 'value', text: '', isUnavailable: true };
  if (reply.projection_fault !== null) return { ...facts, kind: 'failed', error: faultError(reply.projection_fault, source) };
  const text = reply.value ?? '';
  return reply.outcome === 'failed'
    ? { ...facts, kind: 'failed', error: plainError('explicit_failure', text) }
    : { ...facts, kind: 'value', text };
}

function faultError({ reason, message, span }: EvaluationFault, source: string): FormError {
  if (span === null) return plainError(reason, message);
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message, place: { line, column } };
}

function plainError(kind: string, message: string): FormError {
  return { kind, message, place: null };
}

/** A host that died under a form is taken for one that ran out of memory, as in a mission (runtime.md §9, §14). */
function lossError(loss: EvaluationLoss, timeoutMs: number): FormError {
  switch (loss) {
    case 'timeout':
      return plainError('timeout', `the form took longer than ${Math.round(timeoutMs)} ms`);
    case 'memory_exceeded':
      return plainError('memory_exceeded', 'the form needed more memory than it may have');
    case 'cancelled':
      return plainError('interrupted', 'the form was interrupted');
    case 'host_lost':
      return plainError('memory_exceeded', 'the process that evaluated the form ended');
    case 'host_dishonest':
      return plainError('internal_error', 'the sandbox gave no valid answer');
  }
}
