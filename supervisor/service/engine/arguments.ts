import {
  aFunction,
  count,
  fits,
  flag,
  maybe,
  objectWith,
  orNull,
  nonEmptyText,
  withFunctions,
  wordOf,
  type Members,
} from '../../platform/arguments/checks.ts';
import {
  anyText,
  limitOverrides,
  principalName,
  runInput,
  wantedArtifacts,
} from '../../platform/arguments/run-members.ts';
import type { Job, JobLimits, JobRequest, WorkOptions } from './interface.ts';
import type { EngineTiming } from './lease-keeper.ts';
import type { Retention } from './retention.ts';

/** What the members of every call of `@svc-lisp/svc/engine` are (gateway.md §19). */

const OPTIONS: Members<EngineTiming & Retention> = {
  extendMs: maybe(count(1)),
  leaseMs: maybe(count(1)),
  selfKillMs: maybe(count(1)),
  reapMs: maybe(count(1)),
  pollMs: maybe(count(1)),
  keepDays: maybe(orNull(count(1))),
  keepBytes: maybe(orNull(count(1))),
};
export const engineOptions = objectWith<EngineTiming & Retention>(OPTIONS);
export const aDatabase = withFunctions('query', 'transaction', 'exclusively', 'listen', 'close');
export const aPglite = withFunctions('query', 'exec', 'transaction', 'listen');
export const connectionOptions = objectWith<{ readonly connections: number }>({ connections: maybe(count(1)) });

const aNumber = fits('a number', (value) => typeof value === 'number' && !Number.isNaN(value));
/** How large they may be, is a RangeError of its own. */
const LIMITS: Members<JobLimits> = { maxRuns: maybe(aNumber), rerunDispatched: maybe(flag) };

const REQUEST: Members<JobRequest> = {
  runRef: maybe(nonEmptyText),
  tenant: anyText,
  principal: maybe(principalName),
  traceparent: maybe(nonEmptyText),
  applicationDigest: nonEmptyText,
  input: maybe(runInput),
  inputClass: maybe(wordOf('normal', 'private')),
  artifacts: maybe(wantedArtifacts),
  runLimits: maybe(limitOverrides),
  weight: maybe(aNumber),
  deadline: maybe(fits('milliseconds since 1970', (value) => typeof value === 'number' && Number.isFinite(value))),
  limits: maybe(objectWith<JobLimits>(LIMITS)),
};
export const jobRequest = objectWith<JobRequest>(REQUEST);
export const jobStore = withFunctions('reserve', 'write', 'commit', 'abort', 'read');

const anObject = fits('an object', (value) => typeof value === 'object' && value !== null);
const JOB: Members<Job> = {
  runRef: nonEmptyText,
  tenant: nonEmptyText,
  weight: aNumber,
  applicationDigest: nonEmptyText,
  inputRef: orNull(anObject),
  requestHash: nonEmptyText,
  deadline: orNull(aNumber),
  limits: objectWith<JobLimits>(LIMITS),
  terms: anObject,
};
/** As `newJob` and `createStoredJob` give it. */
export const aJob = objectWith<Job>(JOB);
export const workOptions = objectWith<WorkOptions>({
  slots: count(1),
  applicationDigest: maybe(nonEmptyText),
  serves: maybe(aFunction),
});
export const aHandler = aFunction;
export const closeOptions = objectWith<{ readonly graceMs: number }>({ graceMs: maybe(count(0)) });
