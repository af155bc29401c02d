import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { compileContract } from '../contracts/compile.ts';
import { contractFaultTexts } from '../contracts/contract-fault-text.ts';
import type { ContractRoot } from '../contracts/schema.ts';
import { valueFaults } from '../contracts/value-faults.ts';

/** A schema that a result is held against: of the profile of contracts, whatever type the result has. */
export interface ExpectedSchema {
  readonly root: ContractRoot;
  /** Whether the result is in an object of its own: contracts are of objects. */
  readonly isWrapped: boolean;
}

interface SchemaFault {
  /** From the schema. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy?: string | undefined;
}

type SchemaCompile =
  | { readonly ok: true; readonly schema: ExpectedSchema }
  | { readonly ok: false; readonly faults: readonly SchemaFault[] };

const MEMBER = 'value';

/**
 * Compiles `expect.schema` (first-day.md §2). A contract is of an object, or a union of such; a result may be any
 * value.
 */
export function compileExpectedSchema(schema: JsonObject): SchemaCompile {
  const isWrapped = !schema.has('oneOf');
  const { $schema: dialect, rest } = withoutDialect(schema);
  const wrapped = isWrapped
    ? new Map<string, JsonValue>([
        ...dialect,
        ['type', 'object'],
        ['properties', new Map([[MEMBER, rest]])],
        ['required', [MEMBER]],
      ])
    : schema;
  const compiled = compileContract(wrapped);
  if (compiled.ok) return { ok: true, schema: { root: compiled.schema.root, isWrapped } };
  const texts = contractFaultTexts(compiled.faults);
  return {
    ok: false,
    faults: compiled.faults.map((fault, index) => {
      const path = fault.at ?? fault.path;
      return {
        path: isWrapped && path[0] === 'properties' ? path.slice(2) : path,
        problem: texts[index]?.problem ?? 'the schema is not in the profile of contracts',
        remedy: texts[index]?.remedy,
      };
    }),
  };
}

function withoutDialect(schema: JsonObject): {
  readonly $schema: readonly (readonly [string, JsonValue])[];
  readonly rest: JsonObject;
} {
  const dialect = schema.get('$schema');
  const rest = new Map([...schema].filter(([keyword]) => keyword !== '$schema'));
  return { $schema: dialect === undefined ? [] : [['$schema', dialect]], rest };
}

/** Where a result misses its schema, in words; empty where it does not. */
export function missesOfSchema(
  { root, isWrapped }: ExpectedSchema,
  result: JsonValue,
): readonly { readonly path: readonly string[]; readonly problem: string }[] {
  const value = isWrapped ? new Map([[MEMBER, result]]) : result;
  if (!isWrapped && !isJsonObject(result)) return [{ path: [], problem: 'the result is no object' }];
  const reported = diagnostic('result_contract_failed');
  return valueFaults(root, value, [], () => reported).map(({ at, problem, remedy }) => ({
    path: isWrapped ? at.slice(1) : at,
    problem: [problem ?? 'the value breaks a rule of the schema', ...(remedy === undefined ? [] : [remedy])].join('; '),
  }));
}
