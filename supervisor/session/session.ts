import { linePosition } from '../../contract/json/line-position.ts';
import type { EvaluateReply, EvaluationFault, GuestOutcome, ReadReply } from '../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../evidence/clock.ts';
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
  /** Preview of its value (language.md §18); that of `(return v)` is v itself. */
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: FormError }
);

interface FormFacts {
  readonly prints: readonly string[];
  /** Generated JavaScript, when it was asked for and there is any. */
  readonly code: string | null;
  /** The isolate had to be given up, and with it definitions that earlier forms had made. */
  readonly lostDefinitions: boolean;
  /** Set when a limit of the whole session was reached: it evaluates nothing more. */
  readonly ended: boolean;
}

/** A session of forms that see each other's definitions (language.md §12). One request at a time. */
export interface Session {
  /** Whether a text is ready to be evaluated; `complete` when the sandbox cannot tell. */
  readiness(source: string): Promise<ReadReply['status']>;
  /** Evaluates one form or script as one transaction. Aborting gives it up, and the isolate with it. */
  evaluate(source: string, signal: AbortSignal): Promise<FormEnd>;
  /** Whether a limit of the whole session has been reached. */
  hasEnded(): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly sandbox: () => Promise<Sandbox>;
  readonly clock: Clock;
  /** Isolates of one session share a process with no other's. */
  readonly trustDomain: string;
  readonly limits: SessionLimits;
  /** UTF-16 units of a preview. */
  readonly previewCharacters: number;
  readonly showCode: boolean;
}

/** Reading a form runs nothing of it; the bound is that of compiling (language.md §20). */
const READ_TIMEOUT_MS = 5000;

const encoder = new TextEncoder();

/**
 * A session in one isolate, opened with its first form. When the isolate is lost, by a timeout, a full memory or an
 * interruption, the next form finds a fresh one.
 */
export function openSession(options: SessionOptions): Session {
  const { clock, limits } = options;
  const deadline = clock.monotonic() + limits.durationMs;
  let isolate: Isolate | null = null;
  let evaluations = 0;
  /** Whether the isolate holds what a form left there. */
  let holdsDefinitions = false;

  async function currentIsolate(): Promise<Isolate> {
    const sandbox = await options.sandbox();
    isolate ??= await sandbox.openIsolate({
      environment: 'workflow', trustDomain: options.trustDomain, heapWords: limits.heapWords,
    });
    return isolate;
  }

  /** Gives the isolate up; whether definitions went with it. */
  async function dropIsolate(): Promise<boolean> {
    const lost = holdsDefinitions;
    holdsDefinitions = false;
    await isolate?.dispose();
    isolate = null;
    return lost;
  }

  /** The limit of the whole session that is reached, as an error. */
  function sessionEnd(): FormError | null {
    if (clock.monotonic() >= deadline) return plainError('run_timeout', `the session has had its ${limits.durationMs} ms`);
    if (evaluations < limits.evaluations) return null;
    return plainError('runtime_limit_exceeded', `the session has had its ${limits.evaluations} evaluations`);
  }

  async function evaluate(source: string, signal: AbortSignal): Promise<FormEnd> {
    const over = sessionEnd();
    if (over !== null) return { ...NOTHING, kind: 'failed', error: over, ended: true };
    const bytes = encoder.encode(source).length;
    if (bytes > limits.sourceBytes) {
      const error = plainError('program_too_large', `the source has ${bytes} bytes; ${limits.sourceBytes} are allowed`);
      return { ...NOTHING, kind: 'failed', error };
    }
    evaluations += 1;
    const remaining = deadline - clock.monotonic();
    const timeoutMs = Math.min(limits.evaluationTimeoutMs, remaining);
    const outcome = await (await currentIsolate()).request({
      operation: 'evaluate', environment: 'workflow', source, data: {}, tools: [], loop_iterations: null,
      projection: 'preview', preview_characters: options.previewCharacters, show_code: options.showCode,
    }, { timeoutMs, signal });
    if (outcome.status !== 'replied') {
      const ended = outcome.status === 'timeout' && remaining <= limits.evaluationTimeoutMs;
      const error = ended ? plainError('run_timeout', `the session has had its ${limits.durationMs} ms`) : lossError(outcome, timeoutMs);
      return { ...NOTHING, kind: 'failed', error, lostDefinitions: await dropIsolate(), ended };
    }
    const { reply } = outcome;
    if (reply.outcome === 'continued' || reply.outcome === 'returned') holdsDefinitions = true;
    return formEnd(reply, source);
  }

  return {
    evaluate,
    hasEnded: () => sessionEnd() !== null,

    async readiness(source) {
      if (encoder.encode(source).length > limits.sourceBytes) return 'complete';
      const outcome = await (await currentIsolate()).request({ operation: 'read', source }, { timeoutMs: READ_TIMEOUT_MS });
      return outcome.status === 'replied' ? outcome.reply.status : 'complete';
    },

    async close() {
      await dropIsolate();
    },
  };
}

const NOTHING = { prints: [], code: null, lostDefinitions: false, ended: false } as const satisfies FormFacts;

function formEnd(reply: EvaluateReply, source: string): FormEnd {
  const facts = { ...NOTHING, prints: reply.prints, code: reply.code ?? null };
  if (reply.outcome === 'evaluation_error') return { ...facts, kind: 'failed', error: faultError(reply.fault, source) };
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
function lossError(outcome: Exclude<GuestOutcome<never>, { status: 'replied' }>, timeoutMs: number): FormError {
  switch (outcome.status) {
    case 'timeout':
      return plainError('timeout', `the form took longer than ${Math.round(timeoutMs)} ms`);
    case 'memory_exceeded':
      return plainError('memory_exceeded', 'the form needed more memory than it may have');
    case 'cancelled':
      return plainError('interrupted', 'the form was interrupted');
    case 'host_lost':
      return outcome.cause === 'protocol_violation'
        ? plainError('internal_error', 'the sandbox gave no valid answer')
        : plainError('memory_exceeded', 'the process that evaluated the form ended');
  }
}
