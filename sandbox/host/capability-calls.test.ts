import { expect } from 'chai';
import type { CapabilityCall } from '../wire/messages.ts';
import { createCapabilityCalls } from './capability-calls.ts';

function answer(isolate: string, text: string) {
  return { type: 'call_answer', isolate, answer: text } as const;
}

describe('capability calls of a host', () => {
  it('find their answers by isolate, in any order', async () => {
    const sent: CapabilityCall[] = [];
    const calls = createCapabilityCalls((call) => sent.push(call));
    const made = [
      { isolate: '1', name: 'echo', argumentsText: '{}' },
      { isolate: '2', name: 'a b', argumentsText: '{"x":1}' },
    ];
    const answers = made.map((call) => calls.call(call));
    expect(sent).to.deep.equal(made.map((call) => ({ type: 'call', ...call })));
    expect(calls.receive(answer('2', '+two'))).to.equal(true);
    expect(calls.receive(answer('1', '+one'))).to.equal(true);
    expect(await Promise.all(answers)).to.deep.equal(['+one', '+two']);
  });

  it('take no answer twice and none that was not asked for', () => {
    const calls = createCapabilityCalls(() => undefined);
    void calls.call({ isolate: '1', name: 'echo', argumentsText: '{}' });
    expect(calls.receive(answer('2', '+'))).to.equal(false);
    expect(calls.receive(answer('1', '+'))).to.equal(true);
    expect(calls.receive(answer('1', '+'))).to.equal(false);
  });
});
