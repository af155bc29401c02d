import { expect } from 'chai';
import type { Said, Scenario } from '../scenario.ts';

const TEXT = { agent: { mode: 'text' } };
const NO_TOOLS: Said = { status: 404, body: { error: { message: 'No endpoints found that support tool use.' } } };
const said = (program: string, before = '', after = ''): Said => ({
  text: `${before}\`\`\`clojure\n${program}\n\`\`\`${after}`,
});

const corrected = (title: string, answer: Said, reason: string): Scenario => ({
  id: 'text',
  title: `is told how to answer: ${title}`,
  application: TEXT,
  answers: [answer, said('(return 2)')],
  expect: {
    value: { ok: true, value: 2 },
    requests: 2,
    usage: { agent_protocol_errors: 1, protocol_errors: 0, subordinate_evaluations: 1 },
    requestTexts: [{ request: 2, role: 'user', has: [reason, 'one fenced block'], lacks: ['run_svc_lisp', 'call'] }],
  },
});

/** world.md §3.6: `"mode" "text"`. */
export const TEXT_MODE: readonly Scenario[] = [
  {
    id: 'text',
    title: 'the program is the first fenced block of the answer, and there is no tool',
    application: TEXT,
    answers: [
      said('(def a 20)\n(inc a)', 'I count.\n\n', '\n\nThen:\n```clojure\n(fail :not-run)\n```\n'),
      said('(/ 1 0)'),
      said('(return (* 2 (inc a)))'),
    ],
    expect: {
      value: { ok: true, value: 42 },
      requests: 3,
      usage: { agent_protocol_errors: 0, subordinate_evaluations: 3 },
      requestTexts: [
        {
          request: 1,
          message: 'system',
          has: ['SVC_AGENT_PROMPT_V1', 'one fenced block', '```clojure\n', '(return value) completes'],
          lacks: ['run_svc_lisp', 'call of'],
        },
        { request: 2, message: -2, role: 'assistant', has: ['I count.', '(fail :not-run)'] },
        { request: 2, role: 'user', has: ['user=> 21', '3 turns are left'], lacks: ['fail'] },
        { request: 3, role: 'user', has: ['arithmetic_error', 'Send one corrected program.'] },
      ],
    },
    also: ({ requests }) => {
      for (const request of requests) {
        expect(request).not.to.have.property('tools');
        expect(request.messages.map(({ role }) => role)).to.not.include('tool');
        expect(request.messages.some((message) => 'tool_calls' in message)).to.equal(false);
      }
      expect(requests[1]?.system).to.equal(requests[0]?.system);
    },
  },
  corrected('prose alone', { text: 'It is 2: `(return 2)`.' }, 'missing-fenced-program'),
  corrected('an answer without text', { text: ' ' }, 'answer-empty'),
  corrected('an empty block', { text: '```\n```' }, 'program-empty'),
  {
    id: 'text',
    title: 'marks of tildes, longer ones, and an end without a mark are blocks too',
    application: TEXT,
    answers: [
      { text: '~~~~\n(def a "```")\n```\n~~~\n~~~~' },
      { text: '  ````clj\n(def a (str "\n```\n"))\n````' },
      { text: 'So:\n```\n(return (count a))' },
    ],
    expect: {
      value: { ok: true, value: 5 },
      requests: 3,
      requestTexts: [{ request: 2, role: 'user', has: ['failed'] }],
    },
  },
  {
    id: 'text',
    title: 'a block that was cut within is not run',
    application: TEXT,
    answers: [{ text: '```clojure\n(return 1', finish: 'length' }],
    expect: { code: 'model_output_truncated', exit: 6, requests: 1, usage: { subordinate_evaluations: 0 } },
  },
  {
    id: 'text',
    title: 'a whole block is run though the answer was cut behind it',
    application: TEXT,
    answers: [{ text: '```clojure\n(return 1)\n```\nThat was', finish: 'length' }],
    expect: { value: { ok: true, value: 1 }, requests: 1 },
  },
  ...[41, 40].map((size): Scenario => ({
    id: 'text',
    title: `a program of ${size} characters, where 40 are allowed`,
    application: { agent: { mode: 'text', max_program_chars: 40 } },
    answers: [said(`(return ${'1'.padStart(size - '(return )'.length, ' ')})`), said('(return 2)')].slice(0, size - 39),
    expect: {
      value: { ok: true, value: size === 40 ? 1 : 2 },
      requests: size - 39,
      ...(size === 41 ? { requestTexts: [{ request: 2, role: 'user', has: ['41 characters', 'at most 40'] }] } : {}),
    },
  })),
  {
    id: 'text',
    title: 'old outputs are no longer shown with compact_every, and marks carry a name with fence_ids',
    application: { agent: { mode: 'text', max_turns: 6, compact_every: 1, fence_ids: true } },
    answers: [
      said('(apply str (repeat 50 "one "))'),
      said('(apply str (repeat 50 "two "))'),
      said('(return (count *1))'),
    ],
    expect: {
      value: { ok: true, value: 200 },
      requests: 3,
      requestTexts: [
        { request: 2, message: 2, has: ['one one', ' id="'] },
        { request: 3, message: 2, has: ['no longer shown'], lacks: ['one one'] },
        { request: 3, message: 4, has: ['two two', ' id="'] },
      ],
    },
  },
  {
    id: 'text',
    title: 'a model that takes no tools is asked the same turn again in text mode',
    answers: [NO_TOOLS, said('(count data/rows)'), said('(return *1)')],
    expect: {
      value: { ok: true, value: 2 },
      requests: 3,
      usage: { agent_protocol_errors: 0, subordinate_evaluations: 2 },
      requestTexts: [
        { request: 1, message: 'system', has: ['run_svc_lisp'] },
        { request: 2, message: 'system', has: ['one fenced block'], lacks: ['run_svc_lisp'] },
        { request: 3, role: 'user', has: ['user=> 2', '3 turns are left'] },
      ],
    },
    also: ({ requests }) => {
      expect(requests[1]?.messages).to.deep.equal(requests[0]?.messages);
      expect(requests.map((request) => 'tools' in request)).to.deep.equal([true, false, false]);
    },
    notReplayed: 'its first request has no answer',
  },
  {
    id: 'text',
    title: 'each phase of it is asked so',
    application: {
      entry: 'run-phased-result-value',
      agent: {
        phases: [
          { mission: 'default', max_turns: 1 },
          { mission: 'default', max_turns: 1 },
        ],
      },
    },
    answers: [NO_TOOLS, said('(def a 7)'), said('(return a)')],
    expect: {
      value: 7,
      requests: 3,
      requestTexts: [{ request: 3, message: 'system', has: ['one fenced block'], lacks: ['run_svc_lisp'] }],
    },
    notReplayed: 'its first request has no answer',
  },
  {
    id: 'text',
    title: 'with "mode" "tools" it is not asked again',
    application: { agent: { mode: 'tools' } },
    answers: [NO_TOOLS],
    expect: { code: 'llm_tool_calling_unsupported', exit: 5, requests: 1 },
    notReplayed: 'its request has no answer',
  },
  {
    id: 'text',
    title: 'a model that called the tool before is not asked again either',
    answers: ['(def a 1)', NO_TOOLS],
    expect: { code: 'llm_tool_calling_unsupported', exit: 5, requests: 2 },
    notReplayed: 'its last request has no answer',
  },
  {
    id: 'text',
    title: 'any other mode is refused before a request',
    application: { agent: { mode: 'prose' } },
    answers: [],
    expect: { code: 'invalid_agent_config', exit: 5, requests: 0 },
  },
];
