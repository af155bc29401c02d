import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';
import { isOfEnvelopeSchema } from './envelope-schema.ts';

interface Envelope {
  readonly run_ref: string;
  readonly [member: string]: unknown;
}

/**
 * The text of an envelope, parsed; throws with every departure from the interface and from the published schema, which
 * has the help results as constants: a help that differs from its schema is found here.
 */
export function validEnvelope(text: string): Envelope {
  const value: unknown = JSON.parse(text);
  const departures = checkEnvelope(value);
  if (departures.length > 0) throw new Error(`invalid envelope:\n${departures.join('\n')}\n${text}`);
  if (!isOfEnvelopeSchema(value))
    throw new Error(`not of the schema: ${JSON.stringify(isOfEnvelopeSchema.errors?.slice(0, 3))}\n${text}`);
  if (!isEnvelope(value)) throw new Error(`no run_ref: ${text}`);
  return value;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'run_ref' in value && typeof value.run_ref === 'string';
}
