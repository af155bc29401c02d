import type { StandardToolSchema, ToolSchema } from './types.ts';
import type { JsonSchema } from '../../providers/schemas/bounded-schema.ts';

/** A schema of a tool as its call is checked: JSON Schema, and what a library makes of what passes it. */
export interface ReadToolSchema {
  readonly json: JsonSchema;
  /** Null: what passes is given on as it is. */
  readonly parse: ((value: unknown) => Promise<ParsedValue>) | null;
}

type ParsedValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly words: string };

const DIALECT = { target: 'draft-2020-12' } as const;
const WORDS_LENGTH = 512;
const ISSUES = 3;

/**
 * JSON Schema of a tool's schema. Rejects with TypeError for a Standard Schema that gives none; `role` is for its
 * message.
 */
export async function readToolSchema(
  schema: ToolSchema,
  side: 'input' | 'output',
  role: string,
): Promise<ReadToolSchema> {
  if (!isStandard(schema)) return { json: withoutDialect(schema), parse: null };
  const standard = schema['~standard'];
  if (typeof standard.jsonSchema?.[side] !== 'function')
    throw new TypeError(
      `${role} is a Standard Schema that gives no JSON Schema: use a newer ${standard.vendor}, or give JSON Schema`,
    );
  let json: unknown;
  try {
    json = await standard.jsonSchema[side](DIALECT);
  } catch (error) {
    throw new TypeError(`${role} cannot be expressed as JSON Schema`, { cause: error });
  }
  if (typeof json !== 'boolean' && (typeof json !== 'object' || json === null))
    throw new TypeError(`${role} gave no JSON Schema`);
  return {
    json: withoutDialect(typeof json === 'boolean' ? json : { ...json }),
    parse: typeof standard.validate === 'function' ? async (value) => parsed(await standard.validate(value)) : null,
  };
}

/** Libraries make functions of their schemas, too. */
function isStandard(schema: ToolSchema): schema is StandardToolSchema {
  return (
    (typeof schema === 'object' || typeof schema === 'function') &&
    schema !== null &&
    typeof Reflect.get(schema, '~standard') === 'object' &&
    Reflect.get(schema, '~standard') !== null
  );
}

/** Every keyword that matters is read alike; a dialect by name would have to be known. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** `{value}`, or `{issues: [{message}]}`: a library wrote it, and none of it is taken on trust. */
function parsed(result: unknown): ParsedValue {
  if (typeof result !== 'object' || result === null) return { ok: false, words: 'the schema gave no answer' };
  const { issues, value }: { readonly issues?: unknown; readonly value?: unknown } = result;
  if (issues === undefined || issues === null) return { ok: true, value };
  const words = (Array.isArray(issues) ? issues : []).slice(0, ISSUES).map((issue: unknown) => {
    const { message }: { readonly message?: unknown } = Object(issue);
    return typeof message === 'string' ? message : 'not as the schema has it';
  });
  return { ok: false, words: words.join('; ').slice(0, WORDS_LENGTH) };
}
