import { expect } from 'chai';
import type { AgentApplication, Scenario } from '../scenario.ts';

const SILENT = { fault: 'silent' } as const;
const HURRY: AgentApplication = { limits: { llm_request_timeout_ms: 200 } };
const ONE_CALL: AgentApplication = { select: [{ name: 'small', config: { max_calls: 1 } }] };
const BUDGET: AgentApplication = {
  install: { usage_guarantees: { tokens: true, cost_currency: null } },
  hostLimits: { llm_total_tokens: 20 },
};
const outcome = (change = 'outcome'): string =>
  `(let [outcome (agent.core/run-outcome (:task input) (:agent input))] ${change})`;
const FOUR =
  '(mapv (fn [f] f) (pcalls #(agent.core/run-value "one" {"mission" "a"}) #(agent.core/run-value "two" {"mission" "b"}) #(agent.core/run-value "three" {"mission" "c"}) #(agent.core/run-value "four" {"mission" "d"})))';
const EMPTY = { a: {}, b: {}, c: {}, d: {} };

/** Rows 35 to 40: many loops at once, and what a model's provider may do. */
export const PROVIDERS: readonly Scenario[] = [
  {
    id: '35',
    title: 'four loops side by side',
    application: { body: FOUR, missions: EMPTY },
    answers: ['(return 7)', '(return 7)', '(return 7)', '(return 7)'],
    expect: { value: [7, 7, 7, 7], requests: 4, usage: { subordinate_evaluations: 4 } },
  },
  {
    id: '36',
    title: 'a lease that is held too long ends the loop, without another request',
    application: {
      body: '(pcalls (fn [] (kernel/eval-source "a" "(loop [n 0] (recur (inc n)))")) (fn [] (agent.core/run-value (:task input) {"mission" "b"})))',
      missions: EMPTY,
      limits: { evaluation_admission_timeout_ms: 300, evaluation_timeout_ms: 6000 },
    },
    answers: [{ program: '(return 1)', delayMs: 500 }],
    expect: { code: 'evaluation_failed', exit: 5, requests: 1, stopped: { failure_kind: 'evaluation-unavailable' } },
    notReplayed: 'a recorded answer is there before the lease is held',
  },
  {
    id: '37a',
    title: 'a model that does not answer is data, with its alias',
    application: { ...HURRY, entry: 'run-outcome', agent: { model: 'small' } },
    answers: [SILENT],
    expect: { requests: 1 },
    also: ({ value }) => expect(value).to.deep.include({ status: 'provider-failure', model: 'small' }),
    notReplayed: 'a fault of the wire',
  },
  {
    id: '37b',
    title: 'and ends a run',
    application: HURRY,
    answers: [SILENT],
    expect: { code: 'llm_timeout', exit: 5, requests: 1 },
    notReplayed: 'a fault of the wire',
  },
  {
    id: '38a',
    title: 'a model that may be asked once is data the second time',
    application: { ...ONE_CALL, entry: 'run-outcome' },
    answers: ['1'],
    expect: { requests: 1 },
    also: ({ value }) => expect(Object(value)).to.deep.include({ status: 'provider-failure', model: 'small' }),
  },
  {
    id: '38b',
    title: 'and ends a run with the quota',
    application: ONE_CALL,
    answers: ['1'],
    expect: { code: 'capability_quota_exceeded', exit: 6, requests: 1 },
  },
  {
    id: '39a',
    title: 'a budget that does not suffice is data',
    application: { ...BUDGET, body: outcome('(select-keys (:error outcome) [:kind :reason])') },
    answers: [],
    expect: { value: { kind: 'limit_exceeded', reason: 'llm_total_tokens' }, requests: 0 },
  },
  {
    id: '39b',
    title: 'failing with exactly that ends with the limit',
    application: { ...BUDGET, body: outcome('(fail (:error outcome))') },
    answers: [],
    expect: { code: 'runtime_limit_exceeded', exit: 6, message: 'a runtime limit was exceeded', requests: 0 },
  },
  {
    id: '39c',
    title: 'and with what looks like it does not',
    application: { ...BUDGET, body: outcome('(fail (assoc-in (:error outcome) [:details :requested] 7))') },
    answers: [],
    expect: { code: 'explicit_failure', exit: 5, requests: 0 },
  },
  {
    id: '39d',
    title: 'a run ends with the limit, too',
    application: BUDGET,
    answers: [],
    expect: { code: 'runtime_limit_exceeded', exit: 6, requests: 0 },
  },
  {
    id: '40a',
    title: 'an alias that nobody installed is data, and nobody is asked',
    application: { entry: 'run-outcome', agent: { model: 'large' } },
    answers: [],
    expect: { requests: 0 },
    also: ({ value }) =>
      expect(value).to.have.nested.include({
        status: 'provider-failure',
        'error.reason': 'unknown_model_alias',
        model: 'large',
      }),
  },
  {
    id: '40b',
    title: 'a model that is nil is not one that is absent',
    application: { entry: 'run-outcome', agent: { model: null } },
    answers: [],
    expect: { requests: 0 },
    also: ({ value }) =>
      expect(value).to.have.nested.include({ status: 'provider-failure', 'error.reason': 'invalid_model_alias' }),
  },
  {
    id: '40c',
    title: 'unless an option says that it is',
    application: { agent: { model: null, omit_nil_model: true } },
    answers: ['(return 1)'],
    expect: { value: { ok: true, value: 1 }, requests: 1 },
  },
  {
    id: '40d',
    title: 'which is about nil alone',
    application: { entry: 'run-outcome', agent: { model: 'large', omit_nil_model: true } },
    answers: [],
    expect: { requests: 0 },
    also: ({ value }) => expect(value).to.have.nested.include({ 'error.reason': 'unknown_model_alias' }),
  },
];
