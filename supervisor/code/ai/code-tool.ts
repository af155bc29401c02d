import { checkArguments, fits, maybe, objectWith, withFunctions } from '../../platform/arguments/checks.ts';
import type { CodeSession, Evaluation } from '../embedded/types.ts';
import { evaluationText } from './evaluation-text.ts';
import { sdkSchema } from './sdk-schema.ts';

/** What a model gives. */
export interface ProgramInput {
  readonly program: string;
}

/** What a model is shown of an evaluation. */
export interface ModelOutput {
  readonly type: 'text' | 'error-text';
  readonly value: string;
}

export interface CodeToolOptions {
  /** Under which the tool is offered, for its own words; `code` by default. */
  readonly name?: string;
}

/** A tool of the AI SDK by which a model runs programs in a session. */
export interface CodeTool {
  /** With all that `session.prompt()` says when it is made. */
  readonly description: string;
  /** Of `{program}`; a schema of the AI SDK and of Standard Schema alike. */
  readonly inputSchema: never;
  /** Aborting gives the program up. */
  readonly execute: (
    input: ProgramInput,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<Evaluation>;
  /** Takes what `execute` gave, or an object with that as `output`: majors of the SDK differ. */
  readonly toModelOutput: (input: unknown) => ModelOutput;
}

const PROGRAM_SCHEMA = {
  type: 'object',
  properties: { program: { type: 'string', description: 'One Clojure program.' } },
  required: ['program'],
  additionalProperties: false,
} as const;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const name = fits(
  '1 to 64 letters, digits, dashes and underscores, a letter first',
  (value) => typeof value === 'string' && NAME.test(value),
);

/** Makes the tool. Throws TypeError for what is no session. */
export function codeTool(session: CodeSession, options: CodeToolOptions = {}): CodeTool {
  checkArguments('codeTool', {
    session: [session, withFunctions('evaluate', 'prompt')],
    options: [options, objectWith<CodeToolOptions>({ name: maybe(name) })],
  });
  const { name: called = 'code' } = options;
  return {
    description: `${called} runs one program in a sandbox and gives its last value.\n${session.prompt({ maxBytes: DESCRIPTION_BYTES })}`,
    inputSchema: sdkSchema(PROGRAM_SCHEMA, faultOf),
    execute: async ({ program }, { abortSignal } = {}) =>
      session.evaluate(program, abortSignal === undefined ? {} : { signal: abortSignal }),
    toModelOutput: (input) => {
      const evaluation = evaluationIn(input);
      return {
        type: evaluation?.kind === 'value' || evaluation?.kind === 'waiting' ? 'text' : 'error-text',
        value: evaluation === null ? 'no evaluation was given' : evaluationText(evaluation),
      };
    },
  };
}

/** What is left of a prompt beside the line before it. */
const DESCRIPTION_BYTES = 8000;

function faultOf(value: unknown): string | null {
  const { program, ...rest }: { readonly program?: unknown } = Object(value);
  if (typeof program !== 'string' || !program.isWellFormed()) return 'program is a text';
  const [unknown] = Object.keys(rest);
  return unknown === undefined ? null : `there is no member ${unknown.slice(0, 64)}`;
}

function evaluationIn(input: unknown): Evaluation | null {
  if (isEvaluation(input)) return input;
  const { output }: { readonly output?: unknown } = Object(input);
  return isEvaluation(output) ? output : null;
}

const KINDS: ReadonlySet<unknown> = new Set<Evaluation['kind']>(['value', 'failed', 'error', 'waiting', 'refused']);

function isEvaluation(input: unknown): input is Evaluation {
  return typeof input === 'object' && input !== null && KINDS.has(Reflect.get(input, 'kind'));
}
