import { createHash, randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isRunReference, newRunReference } from '../../contract/run-reference.ts';
import type { Job, JobLimits } from './interface.ts';

/** gateway.md §19: longer ones do not travel with the job. */
const INPUT_BYTES = 65_536;
const LIMITS: JobLimits = { maxRuns: 4, rerunDispatched: false };
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const WEIGHT_MAX = 100;

/** What a client asks for. */
export interface JobRequest {
  /** A name that the caller chose, so that it may ask again; a new one by default. */
  readonly runRef?: string;
  readonly tenant: string;
  /** `contentDigest` of the application; `svc runner` tells it when it starts. */
  readonly applicationDigest: string;
  /** Plain JSON data, an object of at most 65,536 bytes; the application's own by default. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Share among tenants, 1 to 100; 1 by default. */
  readonly weight?: number;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly deadline?: number;
  readonly limits?: Partial<JobLimits>;
}

/** A job from what is asked. Throws TypeError and RangeError for what no runner could take. */
export function newJob({ runRef = newRunReference(randomFillSync), tenant, applicationDigest, input, weight = 1, deadline, limits }: JobRequest): Job {
  if (!isRunReference(runRef)) throw new TypeError('a run is named as newRunRef() names it');
  if (!TENANT.test(tenant)) throw new TypeError('a tenant is 1 to 128 letters, digits, dots, dashes and underscores');
  if (!Number.isSafeInteger(weight) || weight < 1 || weight > WEIGHT_MAX) throw new RangeError('a weight is 1 to 100');
  const bounds = { ...LIMITS, ...limits };
  if (!Number.isSafeInteger(bounds.maxRuns) || bounds.maxRuns < 1) throw new RangeError('a tenant has 1 run or more');
  const json = input === undefined ? null : textOf(input);
  if (json !== null && Buffer.byteLength(json) > INPUT_BYTES) throw new RangeError('an input of a job has 65,536 bytes at most');
  const asked = textOf({ applicationDigest, input: json, deadline: deadline ?? null });
  return {
    runRef,
    tenant,
    weight,
    applicationDigest,
    inputRef: json === null ? null : { kind: 'inline', json },
    requestHash: `sha256:${createHash('sha256').update(asked).digest('hex')}`,
    deadline: deadline ?? null,
    limits: bounds,
  };
}

function textOf(value: Readonly<Record<string, unknown>>): string {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new TypeError('an input is plain JSON data');
  return canonicalJson(json);
}
