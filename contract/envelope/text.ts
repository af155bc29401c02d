import { canonicalJson } from '../json/canonical.ts';
import { jsonFromPlain } from '../json/plain.ts';
import type { Envelope } from './types.ts';

/** The published text of an envelope: canonical JSON without a line feed at its end (cli.md §3). */
export function envelopeText(envelope: Envelope): string {
  const value = jsonFromPlain(envelope);
  if (value === undefined) throw new TypeError('an envelope holds JSON values only');
  return canonicalJson(value);
}
