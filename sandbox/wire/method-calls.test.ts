import { expect } from 'chai';
import { createMethodCalls } from './method-calls.ts';
import { parseCallHeader } from './messages.ts';

describe('calls of a host', () => {
  it('go out as one header and a body, and find their answers in any order', async () => {
    const sent: string[] = [];
    const calls = createMethodCalls((header, body) => sent.push(`${header}|${body}`));
    const answers = [calls.call('open', ['a'], '5'), calls.call('dispose', [], 'a b')];
    expect(sent).to.deep.equal(['1 open a|5', '2 dispose|a b']);
    expect(calls.receive('2', 'two')).to.equal(true);
    expect(calls.receive('1', 'one')).to.equal(true);
    expect(await Promise.all(answers)).to.deep.equal(['one', 'two']);
  });

  it('take no answer twice and none that nobody asked for', () => {
    const calls = createMethodCalls(() => undefined);
    void calls.call('open', [], '');
    for (const id of ['', '0', '2', '01', '1 ', '{"id":"1"}', '__proto__']) expect(calls.receive(id, ''), id).to.equal(false);
    expect(calls.receive('1', '')).to.equal(true);
    expect(calls.receive('1', '')).to.equal(false);
  });

  it('are read as they were written', () => {
    let header = '';
    void createMethodCalls((sent) => { header = sent; }).call('request', ['3', '1000'], 'text');
    expect(parseCallHeader(header)).to.deep.equal({ id: '1', method: 'request', arguments: ['3', '1000'] });
  });
});
