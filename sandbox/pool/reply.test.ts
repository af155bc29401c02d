import { expect } from 'chai';
import type { GuestRequest } from '../../contract/sandbox-protocol.ts';
import { parseGuestReply } from './reply.ts';

const compile: GuestRequest = { operation: 'compile', environment: 'mission', components: [] };
const load: GuestRequest = { operation: 'load', code: '' };
const evaluate: GuestRequest = {
  operation: 'evaluate',
  environment: 'mission',
  source: '',
  data: {},
  tools: [],
  loop_iterations: null,
  projection: 'json',
};

const exported = {
  ref: 'a/b',
  kind: 'function',
  arities: [1],
  variadic_from: null,
  requirements: [],
  effect: 'read',
  visibility: 'prompt',
  doc: null,
};
const compileFault = { reason: 'r', message: 'm', component: null, span: { start_byte: 0, end_byte: 1 }, details: {} };
const fault = {
  reason: 'r',
  message: 'm',
  span: null,
  details: { a: [1] },
  exception_class: null,
  public_error: { kind: 'k', message: 'm' },
};
const value = { outcome: 'returned', value: '1', projection_fault: null, prints: ['p'] };

const observation = { text: '1', value_truncated: false, prints_truncated: false, caps_hit: [], sampled_keys: [] };
const stored = { definitions: '', history: [], defined_count: 0, history_count: 0, memory_bytes: 0, history_bytes: 0 };
const observing: GuestRequest = { ...evaluate, observation_characters: 1 };
const keeping: GuestRequest = { ...evaluate, commit: { memory_bytes: 1, history_bytes: 1 } };
const shown = { outcome: 'continued', value: null, projection_fault: null, prints: [], observation };

const admitted: readonly (readonly [string, GuestRequest, unknown])[] = [
  ['a compiled bundle', compile, { status: 'compiled', code: 'c', exports: [exported] }],
  [
    'an export with an effect of its own',
    compile,
    { status: 'compiled', code: 'c', exports: [{ ...exported, declared_effect: null }] },
  ],
  ['a refused compilation', compile, { status: 'refused', fault: compileFault }],
  ['a loaded bundle', load, { status: 'loaded' }],
  ['a refused load', load, { status: 'refused', fault: compileFault }],
  ['a value', evaluate, value],
  ['a value that could not be projected', evaluate, { ...value, value: null, projection_fault: fault }],
  ['an error', evaluate, { outcome: 'evaluation_error', fault, prints: [] }],
  ['an observation of a plain value', observing, shown],
  ['an observation beside a returned value', observing, { ...value, observation }],
  ['a returned value without one', observing, value],
  ['what is kept', keeping, { ...value, continuation: stored }],
  ['why nothing is kept', keeping, { ...value, commit_refusal: 'memory_exceeded' }],
  ['a failure of which nothing is kept', keeping, { ...value, outcome: 'failed' }],
  ['an isolate that is kept alone', { ...keeping, keeps_isolate: true }, value],
  [
    'an isolate that is kept alone, and what is large in it',
    { ...keeping, keeps_isolate: true },
    { ...value, commit_refusal: 'memory_exceeded', largest: [{ name: 'a', bytes: 7 }] },
  ],
  [
    'an isolate that is kept alone, and what cannot be written down',
    { ...keeping, keeps_isolate: true },
    { ...value, unretainable: 'a lazy sequence without end' },
  ],
  [
    'definitions that did not change',
    { ...keeping, omits_unchanged: true },
    { ...value, continuation: { ...stored, is_unchanged: true } },
  ],
  ['code that was asked for', { ...evaluate, show_code: true }, { ...value, code: 'c' }],
  ['the provenance of a failure', evaluate, { ...value, outcome: 'failed', is_last_reply: true }],
];

const refused: readonly (readonly [string, GuestRequest, unknown])[] = [
  ['a reply to another request', load, value],
  ['a list', evaluate, [value]],
  ['null', evaluate, null],
  ['an unknown outcome', evaluate, { ...value, outcome: 'escaped' }],
  ['a value that is no text', evaluate, { ...value, value: 1 }],
  ['a value and a projection fault', evaluate, { ...value, projection_fault: fault }],
  ['neither value nor projection fault', evaluate, { ...value, value: null }],
  ['prints that are no texts', evaluate, { ...value, prints: [1] }],
  ['a missing member', evaluate, { outcome: 'returned', value: '1', projection_fault: null }],
  ['a member too many', evaluate, { ...value, extra: 1 }],
  [
    'a negative position',
    evaluate,
    { outcome: 'evaluation_error', fault: { ...fault, span: { start_byte: -1, end_byte: 1 } }, prints: [] },
  ],
  [
    'a fractional position',
    evaluate,
    { outcome: 'evaluation_error', fault: { ...fault, span: { start_byte: 0.5, end_byte: 1 } }, prints: [] },
  ],
  ['details that are a list', evaluate, { outcome: 'evaluation_error', fault: { ...fault, details: [] }, prints: [] }],
  [
    'an export with an unknown effect of its own',
    compile,
    { status: 'compiled', code: 'c', exports: [{ ...exported, declared_effect: 'none' }] },
  ],
  ['an observation that nobody asked for', evaluate, shown],
  ['an observation of too many characters', observing, { ...shown, observation: { ...observation, text: '12' } }],
  ['an observation of a failure', observing, { ...value, outcome: 'failed', observation }],
  ['a plain value that was to be shown', observing, { ...value, outcome: 'continued' }],
  ['an observation beside a plain value', observing, { ...shown, value: '1' }],
  ['what nobody asked to be kept', evaluate, { ...value, continuation: stored }],
  ['a refusal to keep what nobody asked to be kept', evaluate, { ...value, commit_refusal: 'memory_exceeded' }],
  ['nothing kept, and no reason', keeping, value],
  ['what cannot be written down of an isolate that is not kept', keeping, { ...value, unretainable: 'x' }],
  [
    'something kept, and a reason not to',
    keeping,
    { ...value, continuation: stored, commit_refusal: 'memory_exceeded' },
  ],
  ['something kept of a failure', keeping, { ...value, outcome: 'failed', continuation: stored }],
  ['unchanged definitions that nobody has', keeping, { ...value, continuation: { ...stored, is_unchanged: true } }],
  [
    'unchanged definitions, and some',
    { ...keeping, omits_unchanged: true },
    { ...value, continuation: { ...stored, definitions: 'x', is_unchanged: true } },
  ],
  ['code that nobody asked for', evaluate, { ...value, code: 'c' }],
  ['code of an error that nobody asked for', evaluate, { outcome: 'evaluation_error', fault, prints: [], code: 'c' }],
  ['the provenance of a success', evaluate, { ...value, is_last_reply: true }],
  ['an export of another kind', compile, { status: 'compiled', code: 'c', exports: [{ ...exported, kind: 'macro' }] }],
];

describe('the answers of a guest', () => {
  for (const [title, request, reply] of admitted) {
    it(`admit ${title}`, () => expect(parseGuestReply(request, JSON.stringify(reply))).to.deep.equal(reply));
  }
  for (const [title, request, reply] of refused) {
    it(`do not admit ${title}`, () => expect(parseGuestReply(request, JSON.stringify(reply))).to.equal(null));
  }
  it('do not admit what is no JSON', () => expect(parseGuestReply(load, '{"status":"loaded"')).to.equal(null));
  it('do not take members from a prototype', () => {
    expect(parseGuestReply(load, '{"__proto__":{"status":"loaded"}}')).to.equal(null);
  });
});
