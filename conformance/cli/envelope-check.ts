import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';

interface Envelope {
  readonly run_ref: string;
  readonly [member: string]: unknown;
}

/** The published schema, with the help results as constants: a help that differs from its schema is found here. */
const isOfSchema = new Ajv2020({ strict: true, strictTuples: false }).compile(
  JSON.parse(readFileSync(join(import.meta.dirname, '../envelopes/envelope.schema.json'), 'utf8')),
);

/** The text of an envelope, parsed; throws with every departure from the interface and from the published schema. */
export function validEnvelope(text: string): Envelope {
  const value: unknown = JSON.parse(text);
  const departures = checkEnvelope(value);
  if (departures.length > 0) throw new Error(`invalid envelope:\n${departures.join('\n')}\n${text}`);
  if (!isOfSchema(value))
    throw new Error(`not of the schema: ${JSON.stringify(isOfSchema.errors?.slice(0, 3))}\n${text}`);
  if (!isEnvelope(value)) throw new Error(`no run_ref: ${text}`);
  return value;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'run_ref' in value && typeof value.run_ref === 'string';
}
