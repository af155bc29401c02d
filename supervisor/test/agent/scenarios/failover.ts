import { expect } from 'chai';
import type { AgentApplication, Scenario } from '../scenario.ts';
import { withTools } from './tools.ts';

/** One loop after the other; the alias `large` is installed nowhere. */
const over = (aliases: readonly string[], more: AgentApplication = {}): AgentApplication => ({
  ...more,
  libraries: ['agent.failover'],
  body: `(agent.failover/run-outcome (:task input) (:agent input) ${JSON.stringify(aliases)})`,
});
const RETURNED = { status: 'returned', value: 1 };
const gives =
  (status: string, reason?: string): NonNullable<Scenario['also']> =>
  ({ value }) =>
    expect(value).to.have.nested.include({ status, ...(reason === undefined ? {} : { 'error.reason': reason }) });
const FAULT = 'a fault is injected';

/** agent-library.md §15.2: another model where one failed, and never after a write. */
export const FAILOVER: readonly Scenario[] = [
  {
    id: 'failover',
    title: 'goes on with the next model where one is not there',
    application: over(['large', 'small']),
    answers: ['(return 1)'],
    expect: { value: RETURNED, requests: 1 },
  },
  {
    id: 'failover',
    title: 'begins anew after a failure of the provider',
    application: over(['small', 'small']),
    answers: ['(def a 1)', { status: 500 }, '(return 1)'],
    expect: { value: RETURNED, requests: 3 },
    notReplayed: FAULT,
  },
  {
    id: 'failover',
    title: 'gives the last failure back',
    application: over(['small', 'small']),
    answers: [{ status: 429 }, { status: 500 }],
    expect: { requests: 2 },
    also: gives('provider-failure', 'unavailable'),
    notReplayed: FAULT,
  },
  {
    id: 'failover',
    title: 'leaves what a program did wrong as it is',
    application: over(['small', 'small']),
    answers: ['(fail "no")'],
    expect: { requests: 1 },
    also: gives('subject-failure'),
  },
  {
    id: 'failover',
    title: 'leaves a quota of the run as it is',
    application: over(['small', 'small'], { limits: { workflow_capability_calls_per_name: 1 } }),
    answers: ['1'],
    expect: { requests: 1 },
    also: gives('provider-failure', 'capability_quota'),
    notReplayed: FAULT,
  },
  {
    id: 'failover',
    title: 'goes on after what only reads',
    application: over(['small', 'small'], withTools(['value'])),
    answers: ['(tool/look {"id" "a"})', { status: 500 }, '(return 1)'],
    expect: { value: RETURNED, requests: 3 },
    notReplayed: FAULT,
  },
  {
    id: 'failover',
    title: 'ends after a write',
    application: over(['small', 'small'], withTools()),
    answers: ['(tool/pay {"cents" 1})', { status: 500 }],
    expect: { requests: 2 },
    also: gives('provider-failure', 'unavailable'),
    notReplayed: FAULT,
  },
];
