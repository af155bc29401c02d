import { canonicalJson } from '../json/canonical.ts';
import { jsonFromPlain } from '../json/plain.ts';
import { joinMembers } from '../json/serialized.ts';
import type { Envelope } from './types.ts';

/**
 * The published text of an envelope: canonical JSON without a line feed at its end (cli.md §3). `valueText`: canonical
 * text of the value of its result, where that is there already: a value of megabytes is not written again.
 */
export function envelopeText(envelope: Envelope, valueText: string | null = null): string {
  const result: unknown = 'result' in envelope ? envelope.result : null;
  if (valueText === null || typeof result !== 'object' || result === null || !('value' in result)) {
    return textOf(envelope);
  }
  return replaceMember(envelope, 'result', replaceMember(result, 'value', valueText));
}

/** The text of an object in which one member has this text. */
function replaceMember(object: object, name: string, text: string): string {
  return joinMembers(Object.entries(object).map(([key, value]) => [key, key === name ? text : textOf(value)] as const));
}

function textOf(plain: unknown): string {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('an envelope holds JSON values only');
  return canonicalJson(value);
}
