import { expect } from 'chai';
import type { Scenario } from '../scenario.ts';

const CALL = { id: 'c1', name: 'run_svc_lisp' };
const refusedCall = (id: string, title: string, call: Readonly<Record<string, unknown>>, reason: string): Scenario => ({
  id,
  title,
  answers: [{ calls: [{ ...CALL, args: { program: '(return 1)' }, ...call }] }, '(return 2)'],
  expect: {
    value: { ok: true, value: 2 },
    requests: 2,
    usage: { agent_protocol_errors: 1, protocol_errors: 0, subordinate_evaluations: 1 },
    requestTexts: [{ request: 2, role: 'user', has: [reason, 'exactly one call'] }],
  },
  also: ({ requests }) => expect(requests[1]?.messages).to.have.lengthOf(2),
});

/** Rows 1 to 14: what answers mean. */
export const PROTOCOL: readonly Scenario[] = [
  {
    id: '1a',
    title: 'a returned value is wrapped',
    answers: ['(return 42)'],
    expect: {
      value: { ok: true, value: 42 },
      requests: 1,
      usage: { subordinate_evaluations: 1, agent_protocol_errors: 0 },
    },
  },
  {
    id: '1b',
    title: 'and bare with result_envelope false',
    application: { agent: { result_envelope: false } },
    answers: ['(return 42)'],
    expect: { value: 42, requests: 1 },
  },
  {
    id: '1c',
    title: 'nil counts as absent',
    application: { agent: { result_envelope: null, max_turns: null, mission: null } },
    answers: ['(return 42)'],
    expect: { value: { ok: true, value: 42 }, requests: 1 },
  },
  {
    id: '2',
    title: 'narration stays with its call',
    answers: [{ text: 'I count.', program: '(count data/rows)' }, '(return *1)'],
    expect: {
      value: { ok: true, value: 2 },
      requests: 2,
      requestTexts: [
        { request: 2, message: -2, role: 'assistant', has: ['I count.'] },
        { request: 2, role: 'tool', has: ['user=> 2'] },
      ],
    },
    also: ({ requests }) => {
      const [assistant, tool] = requests[1]?.messages.slice(-2) ?? [];
      expect(assistant?.tool_calls).to.deep.equal([
        { id: 'call_1_0', name: 'run_svc_lisp', args: { program: '(count data/rows)' } },
      ]);
      expect(tool?.tool_call_id).to.equal('call_1_0');
    },
  },
  {
    id: '3',
    title: 'prose is kept and corrected',
    answers: [{ text: 'The answer is 42.' }, '(return 42)'],
    expect: {
      value: { ok: true, value: 42 },
      requests: 2,
      usage: { agent_protocol_errors: 1, protocol_errors: 0 },
      requestTexts: [
        { request: 2, message: -2, role: 'assistant', has: ['The answer is 42.'] },
        { request: 2, role: 'user', has: ['assistant-text-without-tool-call', '3 turns are left'] },
      ],
    },
  },
  {
    id: '4',
    title: 'silence leaves no turn of the assistant',
    answers: [{ text: '' }, '(return 42)'],
    expect: {
      value: { ok: true, value: 42 },
      requests: 2,
      requestTexts: [{ request: 2, role: 'user', has: ['missing-tool-call'] }],
    },
    also: ({ requests }) => expect(requests[1]?.messages.map(({ role }) => role)).to.deep.equal(['user', 'user']),
  },
  {
    id: '5',
    title: 'of two calls none is run',
    answers: [
      {
        calls: [
          { ...CALL, args: { program: '(return 1)' } },
          { id: 'c2', name: 'run_svc_lisp', args: { program: '(return 2)' } },
        ],
      },
      '(return 3)',
    ],
    expect: {
      value: { ok: true, value: 3 },
      requests: 2,
      usage: { subordinate_evaluations: 1, agent_protocol_errors: 1 },
      requestTexts: [{ request: 2, role: 'user', has: ['multiple-or-missing-tool-calls'] }],
    },
  },
  refusedCall('6a', 'a wrong name, and the call is not repeated', { name: 'run_python' }, 'wrong-tool-name'),
  refusedCall('6b', 'an id that is empty', { id: ' ' }, 'invalid-tool-call-id'),
  refusedCall('7', 'arguments that are no JSON', { args: '{oops' }, 'invalid-json-arguments'),
  refusedCall(
    '8a',
    'an argument too many',
    { args: { program: '(return 1)', note: 'x' } },
    'extra-or-missing-arguments',
  ),
  refusedCall('8b', 'a program that is no text', { args: { program: 1 } }, 'program-not-string'),
  refusedCall('8c', 'a program that is empty', { args: { program: ' ' } }, 'program-empty'),
  {
    id: '9a',
    title: 'a program that is too long keeps its call',
    application: { agent: { max_program_chars: 40 } },
    answers: [`(return "${'x'.repeat(41 - 11)}")`, '(return 1)'],
    expect: {
      value: { ok: true, value: 1 },
      requests: 2,
      usage: { subordinate_evaluations: 1 },
      requestTexts: [
        { request: 2, message: -2, role: 'assistant' },
        { request: 2, role: 'tool', has: ['program-too-large', '41 characters', '40'] },
      ],
    },
  },
  {
    id: '9b',
    title: 'and runs at exactly its limit',
    application: { agent: { max_program_chars: 40 } },
    answers: [`(return "${'x'.repeat(40 - 11)}")`],
    expect: { value: { ok: true, value: 'x'.repeat(29) }, requests: 1 },
  },
  {
    id: '11a',
    title: 'narration of 2000 characters is whole',
    answers: [{ text: 'n'.repeat(2000) }, '(return 1)'],
    expect: { requests: 2 },
    also: ({ requests }) => expect(requests[1]?.messages.at(-2)?.content).to.equal('n'.repeat(2000)),
  },
  {
    id: '11b',
    title: 'and of 2001 cut to as many',
    answers: [{ text: 'n'.repeat(2001) }, '(return 1)'],
    expect: { requests: 2, requestTexts: [{ request: 2, message: -2, has: ['(cut)'] }] },
    also: ({ requests }) => expect(requests[1]?.messages.at(-2)?.content).to.have.lengthOf(2000),
  },
  {
    id: '12',
    title: 'a complete call wins over a cut answer',
    answers: [{ program: '(return 1)', finish: 'length' }],
    expect: { value: { ok: true, value: 1 }, requests: 1 },
  },
  {
    id: '13',
    title: 'an answer that its limit cut is no fault of the protocol',
    application: { install: { params: { max_tokens: 50 } } },
    answers: [{ text: 'Let me think', finish: 'length' }],
    expect: {
      code: 'model_output_truncated',
      exit: 6,
      requests: 1,
      usage: { agent_protocol_errors: 0 },
      message:
        'the model of alias small stopped at its output limit of 50 tokens, bound by installation_param; raise max_tokens of the installation',
    },
  },
  {
    id: '14',
    title: 'nor is one without a known limit',
    answers: [{ text: 'Let me think', finish: 'length' }],
    expect: { code: 'model_output_truncated', exit: 6, requests: 1 },
  },
];
