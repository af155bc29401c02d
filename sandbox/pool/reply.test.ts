import { expect } from 'chai';
import type { GuestRequest } from '../../contract/sandbox-protocol.ts';
import { parseGuestReply } from './reply.ts';

const compile: GuestRequest = { operation: 'compile', environment: 'mission', components: [] };
const load: GuestRequest = { operation: 'load', code: '' };
const evaluate: GuestRequest = {
  operation: 'evaluate', environment: 'mission', source: '', data: {}, tools: [], loop_iterations: null, projection: 'json',
};

const exported = {
  ref: 'a/b', kind: 'function', arities: [1], variadic_from: null, requirements: [], effect: 'read', visibility: 'prompt', doc: null,
};
const compileFault = { reason: 'r', message: 'm', component: null, span: { start_byte: 0, end_byte: 1 }, details: {} };
const fault = { reason: 'r', message: 'm', span: null, details: { a: [1] }, exception_class: null, public_error: { kind: 'k', message: 'm' } };
const value = { outcome: 'returned', value: '1', projection_fault: null, prints: ['p'] };

const admitted: readonly (readonly [string, GuestRequest, unknown])[] = [
  ['a compiled bundle', compile, { status: 'compiled', code: 'c', exports: [exported] }],
  ['an export with an effect of its own', compile, { status: 'compiled', code: 'c', exports: [{ ...exported, declared_effect: null }] }],
  ['a refused compilation', compile, { status: 'refused', fault: compileFault }],
  ['a loaded bundle', load, { status: 'loaded' }],
  ['a refused load', load, { status: 'refused', fault: compileFault }],
  ['a value', evaluate, value],
  ['a value that could not be projected', evaluate, { ...value, value: null, projection_fault: fault }],
  ['an error', evaluate, { outcome: 'evaluation_error', fault, prints: [] }],
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
  ['a negative position', evaluate, { outcome: 'evaluation_error', fault: { ...fault, span: { start_byte: -1, end_byte: 1 } }, prints: [] }],
  ['a fractional position', evaluate, { outcome: 'evaluation_error', fault: { ...fault, span: { start_byte: 0.5, end_byte: 1 } }, prints: [] }],
  ['details that are a list', evaluate, { outcome: 'evaluation_error', fault: { ...fault, details: [] }, prints: [] }],
  ['an export with an unknown effect of its own', compile, { status: 'compiled', code: 'c', exports: [{ ...exported, declared_effect: 'none' }] }],
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
