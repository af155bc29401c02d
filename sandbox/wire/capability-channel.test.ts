import { expect } from 'chai';
import { createCapabilityCalls, parseCapabilityCall } from './capability-channel.ts';
import { MAX_NAME_LENGTH } from './host-api.ts';

describe('capability calls of a host', () => {
  it('find their answers by isolate, in any order', async () => {
    const sent: string[] = [];
    const calls = createCapabilityCalls((header, body) => sent.push(`${header}|${body}`));
    const answers = [calls.call('1', 'echo', '{}'), calls.call('2', 'a b', '{"x":1}')];
    expect(sent).to.deep.equal(['1 echo|{}', '2 a b|{"x":1}']);
    expect(calls.receive('2', '+two')).to.equal(true);
    expect(calls.receive('1', '+one')).to.equal(true);
    expect(await Promise.all(answers)).to.deep.equal(['+one', '+two']);
  });

  it('take no answer twice and none that was not asked for', () => {
    const calls = createCapabilityCalls(() => undefined);
    void calls.call('1', 'echo', '{}');
    expect(calls.receive('2', '+')).to.equal(false);
    expect(calls.receive('1', '+')).to.equal(true);
    expect(calls.receive('1', '+')).to.equal(false);
  });
});

describe('the header of a capability call', () => {
  it('names an isolate and a capability', () => {
    expect(parseCapabilityCall('12 files/read')).to.deep.equal({ isolate: '12', name: 'files/read' });
    expect(parseCapabilityCall('1 a b')).to.deep.equal({ isolate: '1', name: 'a b' });
    expect(parseCapabilityCall('1 ')).to.deep.equal({ isolate: '1', name: '' });
  });

  for (const [what, header] of [
    ['nothing', ''],
    ['no name', '1'],
    ['no isolate', ' echo'],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(parseCapabilityCall(header)).to.equal(null);
    });
  }

  it('has a name of bounded length', () => {
    expect(parseCapabilityCall(`1 ${'n'.repeat(MAX_NAME_LENGTH)}`)).not.to.equal(null);
    expect(parseCapabilityCall(`1 ${'n'.repeat(MAX_NAME_LENGTH + 1)}`)).to.equal(null);
  });
});
