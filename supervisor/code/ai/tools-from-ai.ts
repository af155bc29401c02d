import { checkArguments, anything, recordOf } from '../../platform/arguments/checks.ts';
import type { SessionTool, StandardToolSchema, ToolApproval, ToolSchema } from '../embedded/types.ts';
import { SDK_SCHEMA } from './sdk-schema.ts';

/** What is read of a tool of the AI SDK; one that runs elsewhere has no `execute`, and cannot be one of a session. */
export interface AiTool {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly execute?: unknown;
  readonly needsApproval?: unknown;
}

type ToolInput = Readonly<Record<string, unknown>>;
type Execute = (input: ToolInput, options: object) => unknown;

/**
 * Tools of the AI SDK as tools of a session, by the same names. Throws TypeError for one that has no `execute` or no
 * schema. Effect is `write`: the SDK does not say.
 */
export function toolsFromAi(tools: Readonly<Record<string, AiTool>>): Readonly<Record<string, SessionTool>> {
  checkArguments('toolsFromAi', { tools: [tools, recordOf(anything)] });
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, sessionTool(name, tool)]));
}

function sessionTool(name: string, tool: AiTool): SessionTool {
  const role = `toolsFromAi: tools.${name}`;
  const { description, inputSchema, outputSchema, execute, needsApproval }: AiTool = Object(tool);
  if (!isFunction(execute)) throw new TypeError(`${role} has no execute: it does not run in this program`);
  if (inputSchema === undefined || inputSchema === null) throw new TypeError(`${role} has no inputSchema`);
  const approval = approvalOf(needsApproval);
  return {
    // Words that depend on a conversation are not those of a session.
    description: typeof description === 'string' && description !== '' ? description : name,
    inputSchema: schemaOf(inputSchema, `${role}.inputSchema`),
    ...(outputSchema === undefined || outputSchema === null
      ? {}
      : { outputSchema: schemaOf(outputSchema, `${role}.outputSchema`) }),
    ...(approval === null ? {} : { approval }),
    execute: async (input, { signal, callRef }) =>
      lastOf(await execute.call(tool, input, { toolCallId: callRef, messages: [], abortSignal: signal, context: {} })),
  };
}

function isFunction(value: unknown): value is Execute {
  return typeof value === 'function';
}

/** `needsApproval` is true, false or a function of the arguments. */
function approvalOf(needs: unknown): NonNullable<SessionTool['approval']> | null {
  if (needs === undefined || needs === null || needs === false) return null;
  if (!isFunction(needs)) return 'always';
  const ask: ToolApproval = async (input) => {
    const answer: unknown = await needs(input, { toolCallId: '', messages: [], context: {} });
    return answer !== false;
  };
  return ask;
}

/** A tool that reports on its progress ends with its result. */
async function lastOf(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  let last: unknown = null;
  const parts: AsyncIterable<unknown> = Object(answer);
  for await (const part of parts) last = part;
  return last;
}

interface SdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: ((value: unknown) => unknown) | undefined;
}

/** A schema of the SDK, one that is made when it is asked for, or one of any other library. */
function schemaOf(schema: unknown, role: string): ToolSchema {
  if (isSdkSchema(schema)) return standardOf(() => schema);
  if (isStandardSchema(schema)) return schema;
  if (isFunction(schema)) return standardOf(() => lazySchema(schema, role));
  throw new TypeError(`${role} is no schema of the AI SDK, and no Standard Schema`);
}

function lazySchema(make: (...input: never[]) => unknown, role: string): SdkSchema {
  const made: unknown = make();
  if (isSdkSchema(made)) return made;
  throw new TypeError(`${role} made no schema`);
}

function standardOf(schema: () => SdkSchema): StandardToolSchema {
  const json = (): unknown => schema().jsonSchema;
  return {
    '~standard': {
      version: 1,
      vendor: 'ai',
      jsonSchema: { input: json, output: json },
      validate: async (value) => {
        const result: unknown = await schema().validate?.(value);
        const { success, value: made, error }: { success?: unknown; value?: unknown; error?: unknown } = Object(result);
        if (result === undefined) return { value };
        return success === true ? { value: made } : { issues: [{ message: wordsOf(error) }] };
      },
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not as the schema has it';
}

function isSdkSchema(value: unknown): value is SdkSchema {
  return (
    typeof value === 'object' && value !== null && Reflect.get(value, SDK_SCHEMA) === true && 'jsonSchema' in value
  );
}

function isStandardSchema(value: unknown): value is StandardToolSchema {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof Reflect.get(value, '~standard') === 'object'
  );
}
