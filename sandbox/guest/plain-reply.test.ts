import { expect } from 'chai';
import type { IsolateRequest } from '../../contract/sandbox-protocol.ts';
import { badValue, FailSignal, LimitSignal, ReturnSignal } from '../runtime/errors.ts';
import { parseGuestReply } from '../pool/reply.ts';
import { plainReply } from './plain-reply.ts';

const REQUESTS: readonly IsolateRequest[] = [
  {
    operation: 'evaluate',
    environment: 'mission',
    source: '',
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'json',
  },
  {
    operation: 'branch',
    environment: 'mission',
    data: {},
    tools: [],
    loop_iterations: null,
    branches: false,
    shared: '',
    call: '',
  },
  { operation: 'check', source: '', tools: [], data: [], terminal: false },
  { operation: 'compile', environment: 'mission', components: [] },
  { operation: 'load', code: '' },
  { operation: 'read', source: '' },
];
const ENDS: readonly unknown[] = [
  badValue('\ud800'),
  new FailSignal(1),
  new ReturnSignal(1),
  new LimitSignal('memory_exceeded', 'x'.repeat(100_000)),
  new RangeError('Invalid string length'),
  new RangeError('Maximum call stack size exceeded'),
];

describe('the reply of a guest that was kept from its own', () => {
  for (const request of REQUESTS) {
    it(`is one to the request: ${request.operation}`, () => {
      for (const end of ENDS)
        expect(parseGuestReply(request, JSON.stringify(plainReply(request, end))), String(end)).to.not.equal(null);
    });
  }

  it('is none for a mistake of the guest itself', () => {
    for (const request of REQUESTS) expect(plainReply(request, new TypeError('x is not a function'))).to.equal(null);
  });
});
