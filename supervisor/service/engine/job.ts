import { isRunReference } from '../../../contract/run-reference.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import type { Job, JobInput, JobTerms } from './interface.ts';

type Members = Readonly<Record<string, unknown>>;

/** Of jobs that were entered before they said how a run is made. */
const PLAIN: JobTerms = { inputClass: 'normal', artifacts: null, limits: {} };

/** A job as its row holds it. Throws TypeError for what no engine of this form wrote. */
export function readJob(value: unknown): Job {
  const members = membersOf(value);
  const { runRef, deadline } = members;
  const limits = membersOf(members['limits']);
  if (!isRunReference(runRef)) throw new TypeError('a job has the name of a run');
  return {
    runRef,
    tenant: textIn(members, 'tenant'),
    weight: numberIn(members, 'weight'),
    applicationDigest: textIn(members, 'applicationDigest'),
    inputRef: members['inputRef'] === null ? null : inputOf(membersOf(members['inputRef'])),
    requestHash: textIn(members, 'requestHash'),
    deadline: deadline === null ? null : numberIn(members, 'deadline'),
    limits: { maxRuns: numberIn(limits, 'maxRuns'), rerunDispatched: limits['rerunDispatched'] === true },
    terms: members['terms'] === undefined ? PLAIN : termsOf(membersOf(members['terms'])),
  };
}

function inputOf(members: Members): JobInput {
  return members['kind'] === 'inline'
    ? { kind: 'inline', json: textIn(members, 'json') }
    : { kind: 'stored', sha256: textIn(members, 'sha256') };
}

function termsOf(members: Members): JobTerms {
  const artifacts = members['artifacts'] === null ? null : membersOf(members['artifacts']);
  return {
    inputClass: members['inputClass'] === 'private' ? 'private' : 'normal',
    artifacts:
      artifacts === null
        ? null
        : {
            trace: artifacts['trace'] === true,
            inspection: artifacts['inspection'] === true,
            result: artifacts['result'] === true,
          },
    limits: limitsOf(membersOf(members['limits'])),
    ...(members['principal'] === undefined ? {} : { principal: textIn(members, 'principal') }),
    ...(members['traceparent'] === undefined ? {} : { traceparent: textIn(members, 'traceparent') }),
  };
}

/** Their names and bounds are those of the application: anyone who runs it checks them. */
function limitsOf(members: Members): WrittenLimits {
  return Object.fromEntries(Object.keys(members).map((name) => [name, numberIn(members, name)]));
}

function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null) throw new TypeError('a job is an object');
  return { ...value };
}

function textIn(members: Members, name: string): string {
  const text = members[name];
  if (typeof text !== 'string') throw new TypeError(`${name} of a job is a text`);
  return text;
}

function numberIn(members: Members, name: string): number {
  const number = members[name];
  if (typeof number !== 'number') throw new TypeError(`${name} of a job is a number`);
  return number;
}
