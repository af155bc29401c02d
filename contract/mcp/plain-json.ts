import { canonicalJson } from '../json/canonical.ts';
import { jsonFromPlain } from '../json/plain.ts';

/** Deterministic JSON of plain data that this program built. */
export function plainJson(value: unknown): string {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new TypeError('an answer is plain data');
  return canonicalJson(json);
}
