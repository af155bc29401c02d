import { canonicalString } from '../../../contract/json/canonical.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';

/*
 * How a program writes what it is granted (runtime.md §4, "Text rules").
 */

/** Placeholders that a form shows at most. */
const SHOWN_PARAMETERS = 32;

/**
 * A constant is named; a function is called with its signature's parameters, else with as many as it takes at least.
 */
export function exportForm({
  ref,
  kind,
  arities,
  variadic_from: variadicFrom,
  contract,
}: Pick<ExportFact, 'ref' | 'kind' | 'arities' | 'variadic_from' | 'contract'>): string {
  if (kind === 'constant') return ref;
  const signed = parameterNames(contract ?? '');
  if (signed !== null) return `(${[ref, ...signed].join(' ')})`;
  const least = Math.min(...arities, variadicFrom ?? Number.MAX_SAFE_INTEGER);
  const count = Number.isSafeInteger(least) && least <= SHOWN_PARAMETERS ? least : 0;
  const names = Array.from({ length: count }, (_, index) => `arg${index + 1}`);
  return `(${[ref, ...names, ...(variadicFrom === null ? [] : ['...'])].join(' ')})`;
}

/** Names in the canonical text of a signature, `(a :int, b [:string]) -> :map`; null for a bare type. */
function parameterNames(contract: string): readonly string[] | null {
  if (!contract.startsWith('(')) return null;
  const names: string[] = [];
  let depth = 0;
  let isName = true;
  for (const token of contract.match(/[A-Za-z_][A-Za-z0-9_-]*|[()[\]{},]/g) ?? []) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth -= 1;
    else if (token === ',') isName = depth === 1;
    else if (isName && depth === 1) {
      names.push(token);
      isName = false;
    }
    if (depth === 0) break;
  }
  return names;
}

/** A field's own name stands for its value where that reads as a symbol. */
const PLACEHOLDER = /^[a-z_][a-z0-9_-]*$/;

/** `(tool/find {"text" text})`: the required fields of a capability's arguments, in byte order. */
export function capabilityForm({
  name,
  inputSchema,
}: {
  readonly name: string;
  readonly inputSchema: JsonValue;
}): string {
  const fields = requiredFields(inputSchema).map(
    (field) => `${canonicalString(field.toWellFormed())} ${PLACEHOLDER.test(field) ? field : 'value'}`,
  );
  return `(tool/${name} {${fields.join(' ')}})`;
}

/** Of a union those fields that every branch requires. */
function requiredFields(schema: JsonValue): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const branches = schema.get('oneOf');
  if (isJsonArray(branches)) {
    const [first = [], ...others] = branches.map(requiredFields);
    return first.filter((field) => others.every((fields) => fields.includes(field)));
  }
  const required = schema.get('required');
  const fields = isJsonArray(required) ? required.filter((field) => typeof field === 'string') : [];
  return [...new Set(fields)].toSorted(compareUtf8);
}
