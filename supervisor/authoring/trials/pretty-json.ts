import { canonicalJson, canonicalString } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Columns up to which a value stays on one line. */
const LINE = 80;
const STEP = '  ';

/** JSON as an author would write it, every number exact; `indent`: white space before the line that it begins on. */
export function prettyJson(value: JsonValue, indent = ''): string {
  const flat = canonicalJson(value);
  if (flat.length <= LINE - indent.length) return flat;
  const inner = `${indent}${STEP}`;
  if (isJsonArray(value) && value.length > 0)
    return `[\n${value.map((item) => `${inner}${prettyJson(item, inner)}`).join(',\n')}\n${indent}]`;
  if (isJsonObject(value) && value.size > 0)
    return `{\n${[...value].map(([key, member]) => `${inner}${canonicalString(key)}: ${prettyJson(member, inner)}`).join(',\n')}\n${indent}}`;
  return flat;
}
