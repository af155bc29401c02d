import { hostLostProblem } from '../../contract/diagnostics/messages/remedies.ts';
import { linePosition } from '../../contract/json/line-position.ts';
import type { EvaluateReply, EvaluationFault, ReadReply, RequiredNames } from '../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import { suspectWords } from '../calls/evaluation/suspect-words.ts';
import { suspectsIn } from '../calls/evaluation/suspects.ts';
import type { Clock } from '../../system/clock.ts';
import { closeRun, withRun } from '../run/close-run.ts';
import { evaluate, type WorkflowProgram } from '../run/evaluate.ts';
import type { Run } from '../run/run.ts';
import { sealRun, type SealedRun } from '../run/seal.ts';
import { freshIsolates, freshMissionIsolates, lastingIsolate, type LastingIsolate } from '../run/workflow-isolates.ts';
import { missionEvents, workflowEvents } from '../run/forms/form-events.ts';
import { openFormHistory, type FormHistory } from '../run/forms/kept-forms.ts';
import { lastFailure } from './last-failure.ts';
import type { SessionLimits } from './limits.ts';

/** Why a form failed: the reason of language.md §17, or of the limit that ended it, and what happened. */
export interface FormError {
  readonly kind: string;
  readonly message: string;
  /** Where in the text, from 1; null where it has no particular place. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** Preview of the `ex-data` of an exception that the program made; absent without. */
  readonly data?: string;
}

/** How one form ended. */
export type FormEnd = FormFacts &
  /**
   * Preview of its value (language.md §18), or its JSON; that of `(return v)` is v itself. `isUnavailable`: it is no
   * JSON.
   */
  (
    | { readonly kind: 'value'; readonly text: string; readonly isUnavailable?: true }
    | { readonly kind: 'failed'; readonly error: FormError }
  );

interface FormFacts {
  readonly prints: readonly string[];
  /** Generated JavaScript, when it was asked for and there is any. */
  readonly code: string | null;
  /**
   * The isolate had to be given up: whether the next one has all that earlier forms had made, or what could be written
   * down of it. Null: it lives.
   */
  readonly recovered: 'all' | 'part' | null;
  /** What the evaluation came to; null where it was not started, or is lost. */
  readonly outcome: EvaluateReply['outcome'] | null;
  /** Set when a limit of the whole session was reached: it evaluates nothing more. */
  readonly ended: boolean;
  /** The namespace that the session is in now; absent where the form left it as it was. */
  readonly namespace?: string;
}

/** A session of forms that see each other's definitions (language.md §12). One request at a time. */
export interface Session {
  /** Whether a text is ready to be evaluated; `complete` when the sandbox cannot know. */
  readiness(source: string): Promise<ReadReply['status']>;
  /** Evaluates one form or script as one transaction. Aborting gives it up, and the isolate with it. */
  evaluate(source: string, signal: AbortSignal): Promise<FormEnd>;
  /** Bytes of one form or script. */
  readonly sourceBytes: number;
  /** Names that a form may say: built-ins, definitions, exports, `data/` and `tool/`. */
  names(): Promise<readonly string[]>;
  /** What `doc` prints of a name, which must read as one symbol; null where it cannot be asked. */
  documentation(name: string): Promise<string | null>;
  /** The last value as `pr-str` prints it, whole; null for one that is too long to be printed. */
  wholeValue(): Promise<string | null>;
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
  /**
   * Evaluated once before the first form: what it defines is there for every form, also in a fresh isolate; absent:
   * nothing.
   */
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
  /** Called with the whole trace once the session is over and its run sealed: lines, each with its line feed. */
  readonly onSealed?: (lines: string) => Promise<void>;
}

/** What every form finds required, as at the prompt of Clojure. */
const REQUIRED: RequiredNames = { aliases: {}, refers: { pprint: 'clojure.pprint' } };
/** Reading a form runs none of it; the bound is that of compiling (language.md §20). */
const READ_TIMEOUT_MS = 5000;
/** What is looked up while a person types. */
const ASIDE_TIMEOUT_MS = 5000;

const encoder = new TextEncoder();

interface OpenedSession {
  readonly run: Run;
  readonly isolate: LastingIsolate;
  /** Names of its forms in the trace (evidence.md §2). */
  readonly newFormId: () => string;
}

/**
 * A session in one run: its forms are evaluated there one after the other, in one isolate. When that is lost, by a
 * timeout, a full memory or an interruption, the next form finds a fresh one with what could be written down of the
 * forms before it.
 */
export function openSession(options: SessionOptions): Session {
  const { clock, limits } = options;
  const deadline = clock.monotonic() + limits.durationMs;
  let opened: Promise<OpenedSession> | null =
    typeof options.run === 'function' ? null : Promise.resolve(placeOf(options.run, options.mission));
  let evaluations = 0;
  const memory = openFormHistory(limits);
  const failure = lastFailure();
  let required = REQUIRED;
  let hasBegun = false;

  const open = async (): Promise<OpenedSession> => {
    const run = typeof options.run === 'function' ? await options.run() : options.run;
    return placeOf(run, options.mission);
  };

  /** The limit of the whole session that is reached, as an error. */
  function sessionEnd(): FormError | null {
    if (clock.monotonic() >= deadline)
      return plainError('run_timeout', `the session has had its ${limits.durationMs} ms`);
    if (evaluations < limits.evaluations) return null;
    return plainError('runtime_limit_exceeded', `the session has had its ${limits.evaluations} evaluations`);
  }

  async function evaluateForm(source: string, signal: AbortSignal): Promise<FormEnd> {
    const end = await evaluateWithinLimits(source, signal);
    failure.ended({ outcome: end.outcome, ...(end.kind === 'failed' ? { error: end.error } : {}) });
    return end;
  }

  async function evaluateWithinLimits(source: string, signal: AbortSignal): Promise<FormEnd> {
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
    const form = formOf(source, signal);
    const projection = { ...form.projection, last_error: failure.request() };
    const evaluated = await evaluateOnRecord(
      await (opened ??= open()),
      { ...form, projection, deadlineAt: clock.monotonic() + timeoutMs },
      memory,
    );
    switch (evaluated.kind) {
      case 'lost': {
        const ended = evaluated.loss === 'timeout' && remaining <= limits.evaluationTimeoutMs;
        const error = ended
          ? plainError('run_timeout', `the session has had its ${limits.durationMs} ms`)
          : lossError(evaluated, { source, timeoutMs });
        return { ...NOTHING, kind: 'failed', error, recovered: memory.lose(), ended };
      }
      case 'not_attached':
        return { ...NOTHING, kind: 'failed', error: plainError(evaluated.fault.reason, evaluated.fault.message) };
      case 'replied':
        if (evaluated.reply.outcome !== 'evaluation_error') required = evaluated.reply.required ?? required;
        return formEnd(evaluated.reply, source, options.projection === 'json');
    }
  }

  /** What every form finds, once: it is kept like any other definition. */
  async function begin(): Promise<void> {
    if (hasBegun || options.prelude === undefined) return;
    hasBegun = (await aside(options.prelude, 'printed')) !== null;
  }

  /** Evaluates what nobody typed: it is no form of the session, and leaves no evidence. Null where it gave no value. */
  async function aside(source: string, projection: 'json' | 'printed'): Promise<string | null> {
    const { run, isolate } = await (opened ??= open());
    const form = formOf(source, new AbortController().signal);
    const evaluated = await evaluate(
      run,
      {
        ...form,
        projection: { ...form.projection, projection },
        evaluationId: 'repl-lookup',
        deadlineAt: clock.monotonic() + ASIDE_TIMEOUT_MS,
      },
      isolate,
    );
    if (evaluated.kind !== 'replied') {
      memory.lose();
      failure.lose();
      return null;
    }
    memory.keep(evaluated.reply);
    return evaluated.reply.outcome === 'evaluation_error' ? null : evaluated.reply.value;
  }

  async function names(): Promise<readonly string[]> {
    await begin();
    const { run } = await (opened ??= open());
    const known: unknown = JSON.parse((await aside('(return (apropos ""))', 'json')) ?? '[]');
    const tools = options.tools ?? run.environments.broker.tools(options.mission?.name ?? null);
    const spoken = Array.isArray(known) ? known.filter((name) => typeof name === 'string') : [];
    return [
      ...spoken,
      ...requiredNames(spoken, required),
      ...Object.keys(options.data).map((name) => `data/${name}`),
      ...tools.flatMap((name) => [`tool/${name}`, `tool!/${name}`]),
    ];
  }

  function formOf(source: string, signal: AbortSignal): Omit<WorkflowProgram, 'evaluationId' | 'deadlineAt'> {
    const { tools, data, previewCharacters, showCode, mission, projection = 'preview' } = options;
    return {
      source,
      data,
      signal,
      projection: {
        projection,
        preview_characters: previewCharacters,
        show_code: showCode,
        required,
        ...memory.request(),
      },
      ...(tools === undefined ? {} : { tools }),
      ...(mission === undefined ? {} : { mission: mission.name }),
    };
  }

  return {
    sourceBytes: limits.sourceBytes,
    evaluate: evaluateForm,
    names,
    documentation: async (name) => {
      const text: unknown = JSON.parse((await aside(`(return (with-out-str (doc ${name})))`, 'json')) ?? 'null');
      return typeof text === 'string' ? text : null;
    },
    wholeValue: () => aside('(return *1)', 'printed'),
    hasEnded: () => sessionEnd() !== null,

    async readiness(source) {
      if (encoder.encode(source).length > limits.sourceBytes) return 'complete';
      const { isolate } = await (opened ??= open());
      const outcome = await (
        await isolate.current()
      ).request({ operation: 'read', source }, { timeoutMs: READ_TIMEOUT_MS });
      return outcome.status === 'replied' ? outcome.reply.status : 'complete';
    },

    async close() {
      if (opened === null) return null;
      const { run, isolate } = await opened;
      await isolate.close();
      return withRun(run, async () => {
        const sealed = await sealRun(run, await closeRun(run), { kind: 'none' });
        if (options.onSealed !== undefined) await options.onSealed(await readLines(run));
        return sealed;
      });
    },
  };
}

/** Names as forms may say them after what was required. */
function requiredNames(spoken: readonly string[], { aliases, refers }: RequiredNames): readonly string[] {
  const members = Object.entries(aliases).flatMap(([alias, namespace]) =>
    spoken.filter((name) => name.startsWith(`${namespace}/`)).map((name) => `${alias}${name.slice(namespace.length)}`),
  );
  return [...Object.keys(refers), ...members];
}

/** Where the forms of a session are evaluated, and how they are named. */
function placeOf(run: Run, mission: SessionMission | undefined): OpenedSession {
  let forms = 0;
  const newFormId = (): string => {
    forms += 1;
    return `repl-evaluation-${forms}`;
  };
  return {
    run,
    newFormId,
    isolate: lastingIsolate(mission === undefined ? freshIsolates(run) : freshMissionIsolates(run, mission.code)),
  };
}

async function readLines({ recorder }: Run): Promise<string> {
  const lines: string[] = [];
  for (;;) {
    const read = await recorder.since(lines.length + 1);
    if (read.length === 0) return lines.map((line) => `${line}\n`).join('');
    lines.push(...read.map(({ text }) => text));
  }
}

/** Evaluates a form between its two events (evidence.md §3). */
async function evaluateOnRecord(
  { run, isolate, newFormId }: OpenedSession,
  form: Omit<WorkflowProgram, 'evaluationId'>,
  memory: FormHistory,
): Promise<Evaluated> {
  const { recorder, clock } = run;
  const evaluationId = newFormId();
  const events =
    form.mission === undefined
      ? workflowEvents(run, evaluationId)
      : missionEvents(evaluationId, form.mission, form.source);
  recorder.record(events.started);
  const startedAt = clock.monotonic();
  const evaluated = await evaluate(run, { ...form, evaluationId }, isolate);
  if (evaluated.kind === 'replied') memory.keep(evaluated.reply);
  recorder.record(events.stopped(evaluated, clock.monotonic() - startedAt, memory));
  return evaluated;
}

const NOTHING = { prints: [], code: null, recovered: null, outcome: null, ended: false } as const satisfies FormFacts;

function formEnd(reply: EvaluateReply, source: string, isJson: boolean): FormEnd {
  const common = { ...NOTHING, prints: reply.prints, code: reply.code ?? null, outcome: reply.outcome };
  if (reply.outcome === 'evaluation_error')
    return { ...common, kind: 'failed', error: faultError(reply.fault, source) };
  const facts = reply.namespace === undefined ? common : { ...common, namespace: reply.namespace };
  // What a form defined is kept, though its value is no JSON.
  if (isJson && reply.projection_fault !== null && reply.outcome !== 'failed')
    return { ...facts, kind: 'value', text: '', isUnavailable: true };
  if (reply.projection_fault !== null)
    return { ...facts, kind: 'failed', error: faultError(reply.projection_fault, source) };
  const text = reply.value ?? '';
  return reply.outcome === 'failed'
    ? { ...facts, kind: 'failed', error: plainError('explicit_failure', text) }
    : { ...facts, kind: 'value', text };
}

function faultError({ reason, message, span, report }: EvaluationFault, source: string): FormError {
  const data = report === undefined || report.data === null ? {} : { data: report.data };
  if (span === null) return { ...plainError(reason, message), ...data };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message, place: { line, column }, ...data };
}

function plainError(kind: string, message: string): FormError {
  return { kind, message, place: null };
}

/** A host that died under a form is taken for one that ran out of memory, as in a mission (runtime.md §9, §14). */
function lossError(
  { loss, signal }: Extract<Evaluated, { readonly kind: 'lost' }>,
  { source, timeoutMs }: { readonly source: string; readonly timeoutMs: number },
): FormError {
  switch (loss) {
    case 'timeout':
      return {
        kind: 'timeout',
        message: `the form took longer than ${Math.round(timeoutMs)} ms${suspectWords(source)}`,
        place: slowPlace(source),
      };
    case 'memory_exceeded':
      return plainError('memory_exceeded', 'the form needed more memory than it may have');
    case 'cancelled':
      return plainError('interrupted', 'the form was interrupted');
    case 'host_lost':
      return plainError('memory_exceeded', hostLostProblem(signal));
    case 'host_dishonest':
      return plainError('internal_error', 'the sandbox gave no valid answer');
  }
}

/** Spaces and comments before the first form of a text. */
const BEFORE_FORM = /^(?:[\s,]|;[^\n]*|#![^\n]*)*/u;

/** Where a text that took too long need not end; the place of its first form where nothing in it suggests that. */
function slowPlace(source: string): { readonly line: number; readonly column: number } {
  const [suspect] = suspectsIn(source);
  const bytes = encoder.encode(source);
  const start = suspect?.span.start_byte ?? encoder.encode(BEFORE_FORM.exec(source)?.[0] ?? '').length;
  const { line, column } = linePosition(bytes, start);
  return { line, column };
}
