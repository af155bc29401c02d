import { expect } from 'chai';
import { readServerAnswer } from './answer.ts';

const read = (text: string): unknown => readServerAnswer(Buffer.from(text), 7);
const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","id":7,"result":{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;

describe('answers of a server (providers.md §7.1)', () => {
  it('are results and errors', () => {
    expect(read('{"jsonrpc":"2.0","id":7,"result":{"a":1}}')).to.deep.equal({
      kind: 'result',
      result: new Map([['a', 1]]),
    });
    expect(read('{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}')).to.deep.equal({
      kind: 'error',
      code: -32601,
      supported: null,
    });
    expect(
      read('{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25",1]}}}'),
    ).to.deep.equal({ kind: 'error', code: -32022, supported: ['2025-11-25', 1] });
    expect(read(`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${'x'.repeat(4096)}","data":[]}}`)).to.deep.equal(
      { kind: 'error', code: 1, supported: null },
    );
    expect(read(nested(51))).to.have.property('kind', 'result');
  });

  const malformed: Readonly<Record<string, string>> = {
    'no JSON': '{"jsonrpc":"2.0","id":7,"result":{}',
    'a comment': '{"jsonrpc":"2.0","id":7,"result":{}} // done',
    'a list': '[{"jsonrpc":"2.0","id":7,"result":{}}]',
    'another version': '{"jsonrpc":"1.0","id":7,"result":{}}',
    'another id': '{"jsonrpc":"2.0","id":8,"result":{}}',
    'an id that is a text': '{"jsonrpc":"2.0","id":"7","result":{}}',
    'an id that is a float': '{"jsonrpc":"2.0","id":7.0,"result":{}}',
    'no id': '{"jsonrpc":"2.0","result":{}}',
    both: '{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}',
    neither: '{"jsonrpc":"2.0","id":7}',
    'another member': '{"jsonrpc":"2.0","id":7,"result":{},"extra":1}',
    'a member twice': '{"jsonrpc":"2.0","id":7,"id":7,"result":{}}',
    'a result that is no object': '{"jsonrpc":"2.0","id":7,"result":[]}',
    'an error that is null': '{"jsonrpc":"2.0","id":7,"error":null}',
    'an error without a code': '{"jsonrpc":"2.0","id":7,"error":{"message":""}}',
    'an error whose code is no integer': '{"jsonrpc":"2.0","id":7,"error":{"code":1.5,"message":""}}',
    'an error without a message': '{"jsonrpc":"2.0","id":7,"error":{"code":1}}',
    'an error of more bytes': `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${'x'.repeat(4097)}"}}`,
    'an error with another member': '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"","more":1}}',
    'more than 51 levels': nested(52),
    'a lone surrogate': '{"jsonrpc":"2.0","id":7,"result":{"a":"\\ud800"}}',
  };
  for (const [what, text] of Object.entries(malformed)) {
    it(`are malformed with ${what}`, () => {
      expect(read(text)).to.equal(null);
    });
  }
});
