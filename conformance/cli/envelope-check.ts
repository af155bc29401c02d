import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';

interface Envelope {
  readonly run_ref: string;
  readonly [member: string]: unknown;
}

/** The text of an envelope, parsed, canonical and valid; throws with every departure otherwise. */
export function validEnvelope(text: string): Envelope {
  const value: unknown = JSON.parse(text);
  const departures = checkEnvelope(value);
  if (departures.length > 0) throw new Error(`invalid envelope:\n${departures.join('\n')}\n${text}`);
  if (!isEnvelope(value)) throw new Error(`no run_ref: ${text}`);
  return value;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'run_ref' in value && typeof value.run_ref === 'string';
}
