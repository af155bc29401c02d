import { createHash, randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isRunReference, newRunReference } from '../../../contract/run-reference.ts';
import { readTraceparent } from '../../../contract/traceparent.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { ArtifactStore } from '../stores/interface.ts';
import { alreadyExists, storeContent } from '../stores/small-content.ts';
import { checkArguments } from '../../platform/arguments/checks.ts';
import { jobRequest, jobStore } from './arguments.ts';
import type { Job, JobLimits, JobRequest, JobTerms } from './interface.ts';
import { STORED_INPUT } from './stored-input.ts';

/** gateway.md §19: longer ones do not travel with the job. */
const INPUT_BYTES = 65_536;
const LIMITS: JobLimits = { maxRuns: 4, rerunDispatched: false };
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const WEIGHT_MAX = 100;

/** A job from what is asked. Throws TypeError and RangeError for what no runner could take. */
export function newJob(request: JobRequest): Job {
  checkArguments('newJob', { request: [request, jobRequest] });
  const { job, json } = read(request);
  if (json !== null && Buffer.byteLength(json) > INPUT_BYTES)
    throw new RangeError('an input of a job has 65,536 bytes at most');
  return job;
}

/**
 * The same with an input of up to 2,000,000 bytes: one that does not travel with the job is put into the store that
 * runners read (gateway.md §19). Rejects with StoreError too.
 */
export async function createStoredJob(request: JobRequest, store: ArtifactStore): Promise<Job> {
  checkArguments('createStoredJob', { request: [request, jobRequest], store: [store, jobStore] });
  const { job, json } = read(request);
  const bytes = Buffer.from(json ?? '');
  if (bytes.length <= INPUT_BYTES) return job;
  if (bytes.length > MAX_BYTES.input) throw new RangeError('an input has 2,000,000 bytes at most');
  const { tenant, runRef } = job;
  await storeContent(
    store,
    { tenant, runRef, ...STORED_INPUT },
    { dataClass: job.terms.inputClass, contentType: 'application/json' },
    bytes,
  ).catch((error: unknown) => {
    // Asked for again: the digest in the job says whether it is the same input.
    if (!alreadyExists(error)) throw error;
  });
  return { ...job, inputRef: { kind: 'stored', sha256: createHash('sha256').update(bytes).digest('hex') } };
}

function read({
  runRef = newRunReference(randomFillSync),
  tenant,
  principal,
  traceparent,
  applicationDigest,
  input,
  inputClass = 'normal',
  artifacts,
  runLimits = {},
  weight = 1,
  deadline,
  limits,
}: JobRequest): { readonly job: Job; readonly json: string | null } {
  if (!isRunReference(runRef)) throw new TypeError('a run is named as createRunRef() names it');
  if (!TENANT.test(tenant)) throw new TypeError('a tenant is 1 to 128 letters, digits, dots, dashes and underscores');
  if (traceparent !== undefined && readTraceparent(traceparent) === null)
    throw new TypeError('newJob: request.traceparent is one of W3C Trace Context, version 00');
  if (!Number.isSafeInteger(weight) || weight < 1 || weight > WEIGHT_MAX) throw new RangeError('a weight is 1 to 100');
  const bounds = { ...LIMITS, ...limits };
  if (!Number.isSafeInteger(bounds.maxRuns) || bounds.maxRuns < 1) throw new RangeError('a tenant has 1 run or more');
  const json = input === undefined ? null : input instanceof Uint8Array ? Buffer.from(input).toString() : textOf(input);
  const terms: JobTerms = {
    inputClass,
    artifacts: artifacts === undefined ? null : { trace: false, inspection: false, result: false, ...artifacts },
    limits: runLimits,
    ...(principal === undefined ? {} : { principal }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  // Who asks again does so from another place in its trace, and for the same.
  const { traceparent: _caller, ...same } = terms;
  const jobText = textOf({ applicationDigest, input: json, deadline: deadline ?? null, terms: same });
  const job: Job = {
    runRef,
    tenant,
    weight,
    applicationDigest,
    inputRef: json === null ? null : { kind: 'inline', json },
    requestHash: `sha256:${createHash('sha256').update(jobText).digest('hex')}`,
    deadline: deadline ?? null,
    limits: bounds,
    terms,
  };
  return { job, json };
}

function textOf(value: Readonly<Record<string, unknown>>): string {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new TypeError('an input is plain JSON data');
  return canonicalJson(json);
}
