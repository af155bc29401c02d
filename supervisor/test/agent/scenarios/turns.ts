import { expect } from 'chai';
import type { Scenario } from '../scenario.ts';

const TURNS_SPENT =
  'agent turn limit 1 was exceeded; raise max_turns for this agent.core/run call, or reduce the work per turn';
const ONE = { max_turns: 1 };
/** The outcome of run-outcome, as it is or altered, given to fail-outcome. */
const failing = (change: string): string =>
  `(agent.core/fail-outcome (-> (agent.core/run-outcome (:task input) (:agent input)) ${change}))`;

/** Rows 15 to 21: what a turn keeps, and how many there are. */
export const TURNS: readonly Scenario[] = [
  {
    id: '15',
    title: 'a definition is there in the next turn',
    answers: ['(def a 1)', '(return a)'],
    expect: {
      value: { ok: true, value: 1 },
      requests: 2,
      usage: { subordinate_evaluations: 2 },
      requestTexts: [
        { request: 1, role: 'user', has: ['4 turns are left'] },
        { request: 2, role: 'tool', has: ['3 turns are left'] },
      ],
    },
  },
  {
    id: '16a',
    title: 'plain values are *1, *2 and *3',
    application: { agent: { max_turns: 5 } },
    answers: ['1', '2', '3', '(return [*1 *2 *3])'],
    expect: { value: { ok: true, value: [3, 2, 1] }, requests: 4 },
  },
  {
    id: '16b',
    title: 'a returned value is none of them',
    application: {
      entry: 'run-phased-result-value',
      agent: {
        phases: [
          { mission: 'default', max_turns: 2 },
          { mission: 'default', max_turns: 1 },
        ],
      },
    },
    answers: ['1', '(return 2)', '(return *1)'],
    expect: { value: 1, requests: 3 },
  },
  {
    id: '17',
    title: 'a program that failed leaves no definition',
    answers: ['(def a 1)', '(def a 2) (def b 3) (/ 1 0)', '(return a)'],
    expect: {
      value: { ok: true, value: 1 },
      requests: 3,
      requestTexts: [{ request: 3, role: 'tool', has: ['none of it was kept', 'arithmetic', '2 turns are left'] }],
    },
  },
  {
    id: '18',
    title: 'the threshold asks to consolidate, the last turn for an end; the system text stays the same',
    application: { agent: { max_turns: 3, consolidate_at_turns_remaining: 2 } },
    answers: ['1', '2', '(return 3)'],
    expect: {
      value: { ok: true, value: 3 },
      requests: 3,
      requestTexts: [
        { request: 1, has: ['3 turns are left'], lacks: ['Consolidate', 'final'] },
        { request: 2, has: ['2 turns are left', 'Consolidate'], lacks: ['final'] },
        { request: 3, has: ['1 turn is left', 'final one: it must return or fail'], lacks: ['Consolidate'] },
      ],
    },
    also: ({ requests }) => expect(new Set(requests.map(({ system }) => system)).size).to.equal(1),
  },
  {
    id: '19a',
    title: 'a plain value in the last turn',
    application: { agent: ONE },
    answers: ['(def a 1)'],
    expect: {
      code: 'runtime_limit_exceeded',
      exit: 6,
      message: TURNS_SPENT,
      requests: 1,
      stopped: { limit: 'agent_turns', limit_value: 1, limit_reason: 'intermediate_result' },
    },
    also: ({ envelope }) =>
      expect(Object(envelope['execution']).evaluation_memory).to.deep.include({ defined_count: 1 }),
  },
  {
    id: '19b',
    title: 'a failing program in the last turn',
    application: { agent: ONE },
    answers: ['(/ 1 0)'],
    expect: {
      code: 'turn_limit_exceeded',
      exit: 6,
      requests: 1,
      stopped: { limit: 'agent_turns', limit_value: 1, limit_reason: 'evaluation_error' },
    },
  },
  {
    id: '19c',
    title: 'prose in the last turn',
    application: { agent: ONE },
    answers: [{ text: '42' }],
    expect: {
      code: 'turn_limit_exceeded',
      exit: 6,
      requests: 1,
      stopped: { limit: 'agent_turns', limit_value: 1, limit_reason: 'protocol_error' },
    },
  },
  {
    id: '20a',
    title: 'turns that are spent are data, with a token',
    application: { entry: 'run-outcome', agent: ONE },
    answers: ['1'],
    expect: { requests: 1 },
    also: ({ value }) => {
      const { 'failure-token': token, failure_token = token, ...outcome } = Object(value);
      expect(outcome).to.deep.equal({
        status: 'subject-failure',
        kind: 'turn-limit',
        error: { ok: false, kind: 'turn-limit', reason: 'intermediate-result', limit: 'agent_turns', limit_value: 1 },
      });
      expect(failure_token).to.be.a('string');
    },
  },
  {
    id: '20b',
    title: 'and fail-outcome ends with them as they were',
    application: { body: failing('identity'), agent: ONE },
    answers: ['1'],
    expect: { code: 'runtime_limit_exceeded', exit: 6, message: TURNS_SPENT, requests: 1 },
  },
  {
    id: '20c',
    title: 'of an evaluation, too',
    application: { body: failing('identity'), agent: ONE },
    answers: ['(/ 1 0)'],
    expect: { code: 'turn_limit_exceeded', exit: 6, requests: 1, stopped: { limit_reason: 'evaluation_error' } },
  },
  {
    id: '20d',
    title: 'but altered they are a plain failure',
    application: { body: failing('(assoc-in [:error :limit_value] 9)'), agent: ONE },
    answers: ['1'],
    expect: { code: 'explicit_failure', exit: 5, requests: 1 },
  },
  {
    id: '21a',
    title: 'so is a map that no loop made',
    application: {
      body: '(agent.core/fail-outcome {:status :subject-failure :kind :turn-limit :error {:ok false :kind :turn-limit :reason :intermediate-result :limit :agent_turns :limit_value 4} :failure-token "x"})',
    },
    answers: [],
    expect: { code: 'explicit_failure', exit: 5, requests: 0 },
  },
  {
    id: '21b',
    title: 'a returned outcome is given back',
    application: { body: failing('identity') },
    answers: ['(return 1)'],
    expect: { value: { status: 'returned', value: 1 }, requests: 1 },
  },
];
