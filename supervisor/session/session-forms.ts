import type { RequiredNames } from '../../contract/sandbox-protocol.ts';
import type { Clock } from '../../system/clock.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import { evaluate, type WorkflowProgram } from '../run/evaluate.ts';
import { missionEvents, workflowEvents } from '../run/forms/form-events.ts';
import { openFormHistory, type FormHistory } from '../run/forms/form-history.ts';
import { formEnd, formLossError, NOTHING, plainError, type FormEnd, type FormError } from './form-end.ts';
import { lastFailure } from './last-failure.ts';
import type { SessionLimits } from './limits.ts';
import type { OpenedPlace, SessionMission, SessionPlace } from './session-place.ts';
import { SessionQuota } from './session-quota.ts';

export interface FormOptions {
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
}

/** What every form finds required, as at the prompt of Clojure. */
const REQUIRED: RequiredNames = { aliases: {}, refers: { pprint: 'clojure.pprint' } };
/** What is looked up while a person types. */
const ASIDE_TIMEOUT_MS = 5000;

const encoder = new TextEncoder();

/** Evaluates the forms of a session one after the other, each with what those before it left. */
export class SessionForms {
  readonly #options: FormOptions;
  readonly #place: SessionPlace;
  readonly #quota: SessionQuota;
  readonly #memory: FormHistory;
  readonly #failure = lastFailure();
  #required = REQUIRED;
  #hasStarted = false;

  constructor(options: FormOptions, place: SessionPlace) {
    this.#options = options;
    this.#place = place;
    this.#quota = new SessionQuota(options.clock, options.limits);
    this.#memory = openFormHistory(options.limits);
  }

  /** Whether a limit of the whole session is reached. */
  hasEnded(): boolean {
    return this.#quota.reached() !== null;
  }

  isTooLong(source: string): boolean {
    return encoder.encode(source).length > this.#options.limits.sourceBytes;
  }

  async evaluate(source: string, signal: AbortSignal): Promise<FormEnd> {
    const end = await this.#evaluateWithinLimits(source, signal);
    this.#failure.ended({ outcome: end.outcome, ...(end.kind === 'failed' ? { error: end.error } : {}) });
    return end;
  }

  /** Evaluates what nobody typed: it is no form of the session, and leaves no evidence. Null where it gave no value. */
  async aside(source: string, projection: 'json' | 'printed'): Promise<string | null> {
    const { run, isolate } = await this.#place.get();
    const form = this.#formOf(source, new AbortController().signal);
    const evaluated = await evaluate(
      run,
      {
        ...form,
        projection: { ...form.projection, projection },
        evaluationId: 'repl-lookup',
        deadlineAt: this.#options.clock.monotonic() + ASIDE_TIMEOUT_MS,
      },
      isolate,
    );
    if (evaluated.kind !== 'replied') {
      this.#memory.lose();
      this.#failure.lose();
      return null;
    }
    this.#memory.keep(evaluated.reply);
    return evaluated.reply.outcome === 'evaluation_error' ? null : evaluated.reply.value;
  }

  /** Names that a form may say. */
  async names(): Promise<readonly string[]> {
    const { tools, mission, data } = this.#options;
    await this.#begin();
    const { run } = await this.#place.get();
    const known: unknown = JSON.parse((await this.aside('(return (apropos ""))', 'json')) ?? '[]');
    const callable = tools ?? run.environments.broker.tools(mission?.name ?? null);
    const spoken = Array.isArray(known) ? known.filter((name) => typeof name === 'string') : [];
    return [
      ...spoken,
      ...requiredNames(spoken, this.#required),
      ...Object.keys(data).map((name) => `data/${name}`),
      ...callable.flatMap((name) => [`tool/${name}`, `tool!/${name}`]),
    ];
  }

  async #evaluateWithinLimits(source: string, signal: AbortSignal): Promise<FormEnd> {
    const { limits, clock, projection } = this.#options;
    const over = this.#quota.reached();
    if (over !== null) return { ...NOTHING, kind: 'failed', error: over, ended: true };
    if (this.isTooLong(source)) return { ...NOTHING, kind: 'failed', error: tooLong(source, limits) };
    this.#quota.count();
    await this.#begin();
    const remaining = this.#quota.remainingMs();
    const timeoutMs = Math.min(limits.evaluationTimeoutMs, remaining);
    const form = this.#formOf(source, signal);
    const evaluated = await evaluateOnRecord(
      await this.#place.get(),
      {
        ...form,
        projection: { ...form.projection, last_error: this.#failure.request() },
        deadlineAt: clock.monotonic() + timeoutMs,
      },
      this.#memory,
    );
    switch (evaluated.kind) {
      case 'lost': {
        const ended = evaluated.loss === 'timeout' && remaining <= limits.evaluationTimeoutMs;
        const error = ended ? this.#quota.timeError() : formLossError(evaluated, { source, timeoutMs });
        return { ...NOTHING, kind: 'failed', error, recovered: this.#memory.lose(), ended };
      }
      case 'not_attached':
        return { ...NOTHING, kind: 'failed', error: plainError(evaluated.fault.reason, evaluated.fault.message) };
      case 'replied':
        if (evaluated.reply.outcome !== 'evaluation_error') this.#required = evaluated.reply.required ?? this.#required;
        return formEnd(evaluated.reply, source, projection === 'json');
    }
  }

  /** What every form finds, once: it is kept like any other definition. */
  async #begin(): Promise<void> {
    const { prelude } = this.#options;
    if (this.#hasStarted || prelude === undefined) return;
    this.#hasStarted = (await this.aside(prelude, 'printed')) !== null;
  }

  #formOf(source: string, signal: AbortSignal): Omit<WorkflowProgram, 'evaluationId' | 'deadlineAt'> {
    const { tools, data, previewCharacters, showCode, mission, projection = 'preview' } = this.#options;
    return {
      source,
      data,
      signal,
      projection: {
        projection,
        preview_characters: previewCharacters,
        show_code: showCode,
        required: this.#required,
        ...this.#memory.request(),
      },
      ...(tools === undefined ? {} : { tools }),
      ...(mission === undefined ? {} : { mission: mission.name }),
    };
  }
}

function tooLong(source: string, { sourceBytes }: SessionLimits): FormError {
  const bytes = encoder.encode(source).length;
  return plainError('program_too_large', `the source has ${bytes} bytes; ${sourceBytes} are allowed`);
}

/** Names as forms may say them after what was required. */
function requiredNames(spoken: readonly string[], { aliases, refers }: RequiredNames): readonly string[] {
  const members = Object.entries(aliases).flatMap(([alias, namespace]) =>
    spoken.filter((name) => name.startsWith(`${namespace}/`)).map((name) => `${alias}${name.slice(namespace.length)}`),
  );
  return [...Object.keys(refers), ...members];
}

/** Evaluates a form between its two events (evidence.md §3). */
async function evaluateOnRecord(
  { run, isolate, newFormId }: OpenedPlace,
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
