import { expect } from 'chai';
import type { AgentApplication, Scenario } from '../scenario.ts';
import { withTools } from './tools.ts';

const NUMBER = JSON.stringify({ type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] });
const COUNTED: AgentApplication = {
  contracts: { result_schema: { path: 'n.json' } },
  files: { 'n.json': NUMBER },
  entry: 'run-result-value',
};
const DRAFT: AgentApplication = {
  contracts: { phase_return_schemas: { draft: { path: 'n.json' } } },
  files: { 'n.json': NUMBER },
};
const phased = (phases: readonly unknown[]): AgentApplication => ({
  entry: 'run-phased-result-value',
  agent: { phases },
});
const draftThenEnd = (turns: number): AgentApplication => ({
  ...DRAFT,
  ...phased([
    { mission: 'default', max_turns: turns, return_contract: 'draft' },
    { mission: 'default', max_turns: 1 },
  ]),
});
const component = (id: string): string =>
  `(ns ${id})\n(defn work "Works." {:signature "(n :int) -> :int"} [n] (inc n))\n`;

/** Rows 45 to 52: contracts and phases. */
export const PHASES: readonly Scenario[] = [
  {
    id: '45a',
    title: 'a result that breaks its contract may be mended',
    application: COUNTED,
    answers: ['(return {:n 0 :secret-4711 "candidate-4711"})', '(return {:n 2})'],
    expect: {
      value: { n: 2 },
      requests: 2,
      requestTexts: [
        {
          request: 2,
          role: 'tool',
          has: ['does not satisfy the result contract', 'Return a valid value', 'unknown "secret-4711"'],
          lacks: ['candidate-4711'],
        },
        { request: 1, message: 'system', has: ['## Result contract', '{n :int}', 'result["n"]: at least 1'] },
      ],
    },
  },
  {
    id: '45b',
    title: 'one that breaks it to the end is told nowhere',
    application: { ...COUNTED, agent: { max_turns: 2 } },
    answers: ['(return {:n "candidate-4711"})', '(return {:n "candidate-4712"})'],
    expect: { code: 'result_contract_failed', exit: 7, requests: 2, nowhere: ['candidate-471'] },
  },
  {
    id: '45c',
    // One branch: a failure of one ends the others, whether they have asked or not.
    title: 'nor in a parallel branch',
    application: {
      ...COUNTED,
      body: '(vec (pmap (fn [mission] (agent.core/run-result-value (:task input) {"mission" mission "max_turns" 1})) ["a"]))',
      missions: { a: {} },
    },
    answers: ['(return {:n "candidate-4711"})'],
    expect: { code: 'result_contract_failed', exit: 7, requests: 1, nowhere: ['candidate-471'] },
  },
  {
    id: '45d',
    title: 'a named contract, from run-value',
    application: { ...DRAFT, entry: 'run-value', agent: { return_contract: 'draft' } },
    answers: ['(return 1)', '(return {:n 1})'],
    expect: {
      value: { n: 1 },
      requests: 2,
      requestTexts: [{ request: 2, role: 'tool', has: ['does not satisfy the return contract'] }],
    },
  },
  {
    id: '45e',
    title: 'a named contract to the end, as data from run-outcome',
    application: { ...DRAFT, entry: 'run-outcome', agent: { return_contract: 'draft', max_turns: 1 } },
    answers: ['(return {:n "candidate-4711"})'],
    expect: { requests: 1 },
    also: ({ value }) => {
      expect(value).to.have.nested.include({
        status: 'subject-failure',
        kind: 'phase-return-contract-failed',
        'error.reason.completion': 'invalid-return',
        'error.reason.contract': 'draft',
        'error.reason.mission': 'default',
        'error.reason.max_turns': 1,
      });
      expect(JSON.stringify(value)).to.not.include('4711');
    },
  },
  {
    id: '45f',
    title: 'and from run-value the end of the run',
    application: { ...DRAFT, entry: 'run-value', agent: { return_contract: 'draft', max_turns: 1 } },
    answers: ['(return {:n "candidate-4711"})'],
    expect: { code: 'phase_return_contract_failed', exit: 5, requests: 1, nowhere: ['candidate-471'] },
  },
  {
    id: '47',
    title: 'a phase hands over to the next mission: the pair without a budget, a transition, another API',
    application: {
      ...phased([
        { mission: 'first', max_turns: 1 },
        { mission: 'second', max_turns: 1, instruction: 'Now count.' },
      ]),
      missions: {
        first: { components: [{ id: 'alpha', path: 'alpha.clj' }] },
        second: { components: [{ id: 'beta', path: 'beta.clj' }] },
      },
      files: { 'alpha.clj': component('alpha'), 'beta.clj': component('beta') },
    },
    answers: ['(alpha/work 1)', '(return (beta/work 40))'],
    expect: {
      value: 41,
      requests: 2,
      requestTexts: [
        { request: 1, message: 'system', has: ['(alpha/work '], lacks: ['beta/work'] },
        { request: 2, message: 'system', has: ['(beta/work '], lacks: ['alpha/work'] },
        { request: 1, has: ['1 turn is left in this phase', 'the host switches to the next mission'] },
        { request: 2, message: -2, role: 'tool', has: ['user=> 2'], lacks: ['left'] },
        {
          request: 2,
          role: 'user',
          has: ['The phase is over', 'mission second', 'Now count.', '1 turn is left', 'final one'],
        },
      ],
    },
    also: ({ requests }) =>
      expect(requests[1]?.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'user']),
  },
  {
    id: '48',
    title: 'a return before the end of a phase hands over at once',
    application: phased([
      { mission: 'default', max_turns: 5 },
      { mission: 'default', max_turns: 1 },
    ]),
    answers: ['(return {:n 1})', '(return 2)'],
    expect: {
      value: 2,
      requests: 2,
      requestTexts: [{ request: 2, message: -2, role: 'tool', has: ['The program returned', '{:n 1}'] }],
    },
  },
  {
    id: '49a',
    title: 'a phase with a contract is left by a valid return alone',
    application: draftThenEnd(2),
    answers: ['(return 1)', '(return {:n 1})', '(return 2)'],
    expect: {
      value: 2,
      requests: 3,
      requestTexts: [
        { request: 2, role: 'tool', has: ['does not satisfy the return contract', 'return a valid value, or fail'] },
        { request: 3, role: 'user', has: ['The phase is over'] },
      ],
    },
  },
  {
    id: '49b',
    title: 'an invalid one in the last turn ends the run',
    application: draftThenEnd(1),
    answers: ['(return {:n "candidate-4711"})'],
    expect: { code: 'phase_return_contract_failed', exit: 5, requests: 1, nowhere: ['candidate-471'] },
  },
  {
    id: '49c',
    title: 'and so does none',
    application: draftThenEnd(1),
    answers: ['{:n 1}'],
    expect: { code: 'phase_return_contract_failed', exit: 5, requests: 1 },
  },
  {
    id: '50a',
    title: 'an effect in the last turn of a phase is decided about in the next',
    application: withTools(
      [],
      phased([
        { mission: 'default', max_turns: 1 },
        { mission: 'default', max_turns: 2 },
      ]),
    ),
    answers: ['(tool/pay {:cents 1}) (+ 1 "x")', '(return "paid")'],
    expect: {
      value: 'paid',
      requests: 2,
      requestTexts: [
        { request: 2, message: -2, role: 'tool', has: ['effect that cannot be undone'] },
        { request: 2, role: 'user', has: ['The phase is over'] },
      ],
    },
  },
  {
    id: '50b',
    title: 'where a second one ends the loop',
    application: withTools(
      [],
      phased([
        { mission: 'default', max_turns: 1 },
        { mission: 'default', max_turns: 2 },
      ]),
    ),
    answers: ['(tool/pay {:cents 1}) (+ 1 "x")', '(tool/pay {:cents 1}) (+ 1 "x")'],
    expect: { code: 'explicit_failure', exit: 5, requests: 2, stopped: { failure_kind: 'non-retryable-evaluation' } },
  },
  {
    id: '51',
    title: 'a terminal phase runs one return or fail form and nothing else',
    application: phased([{ mission: 'default', max_turns: 2, terminal_only: true }]),
    answers: ['(do (return 1))', '(return 1)'],
    expect: {
      value: 1,
      requests: 2,
      usage: { subordinate_evaluations: 1 },
      requestTexts: [
        { request: 2, role: 'tool', has: ['rejected and not run', 'exactly one top-level'] },
        { request: 1, message: 'system', has: ['must be exactly one top-level'] },
      ],
    },
  },
];
