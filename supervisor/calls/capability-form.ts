import { canonicalString } from '../../contract/json/canonical.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';

/** A field's own name may take the place of its value where that reads as a symbol. */
const PLACEHOLDER = /^[a-z_][a-z0-9_-]*$/;

/**
 * How a program writes a call (runtime.md §4, "Text rules"): `(tool/find {"text" text})`, the required fields of a
 * capability's arguments in byte order.
 */
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
