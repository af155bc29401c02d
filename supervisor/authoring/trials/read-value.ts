import { parseJsonText, type JsonLimits } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import type { JsonValue } from '../../../contract/json/value.ts';

/** Of what this program itself wrote: its own limits hold before. */
const OWN: JsonLimits = { bytes: 67_108_864, depth: 512, nodes: 10_000_000 };

/** The value of a run, exact, from the canonical JSON that its supervisor gives. */
export function readValue(text: string): JsonValue {
  const parsed = parseJsonText(text, OWN);
  if (!parsed.ok) throw new Error('a supervisor gives values as JSON');
  return valueOf(parsed.root);
}
