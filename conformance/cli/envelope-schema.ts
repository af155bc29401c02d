/**
 * The published schema of envelopes as a function. Making it takes a second of processor time, which each process of
 * tests would spend: its code is kept beside the packages, under the digest of the schema and of what compiled it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

const root = join(import.meta.dirname, '../..');
const schema = readFileSync(join(import.meta.dirname, '../envelopes/envelope.schema.json'), 'utf8');
const compiler = readFileSync(join(root, 'node_modules/ajv/package.json'), 'utf8');
const digest = createHash('sha256').update(schema).update(compiler).digest('hex');
const folder = join(root, 'node_modules/.cache/schemas');
const file = join(folder, `envelope-${digest}.cjs`);

interface Validate {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** Whether a value is an envelope of the published schema; what is wrong stands in `errors` until the next call. */
export const isOfEnvelopeSchema: Validate = existsSync(file) ? readCompiled() : compile();

function readCompiled(): Validate {
  const validate: Validate = createRequire(import.meta.url)(file);
  return validate;
}

function compile(): Validate {
  const ajv = new Ajv2020({ strict: true, strictTuples: false, code: { source: true } });
  const validate = ajv.compile(JSON.parse(schema));
  // Processes of tests run beside each other, and none may read half of it.
  const made = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(made, standalone.default(ajv, validate));
    renameSync(made, file);
  } catch (error) {
    // Another user's packages: each process compiles for itself.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
  return validate;
}
