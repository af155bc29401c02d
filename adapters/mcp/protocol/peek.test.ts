import { expect } from 'chai';
import { peek } from './peek.ts';

describe('whose message a line is (providers.md §7.8)', () => {
  const none = { hasMethod: false, progressToken: null, question: null };
  const rows: Readonly<Record<string, object | null>> = {
    '{"jsonrpc":"2.0","id":3,"result":{}}': { ...none, id: 3 },
    ' {"result":{"id":9,"method":"x"},"id" : 3 }\r': { ...none, id: 3 },
    '{"id":"3","result":{}}': { ...none, id: null },
    '{"id":null,"error":{}}': { ...none, id: null },
    '{"id":3.0,"result":{}}': { ...none, id: null },
    '{"id":-3,"result":{}}': { ...none, id: null },
    '{"id":99999999999999999,"result":{}}': { ...none, id: null },
    '{"result":{"text":"\\"id\\":4,\\\\"}}': none,
    '{"result":["id",{"id":4}]}': none,
    '{"method":"ping","id":4}': { ...none, id: 4, hasMethod: true, question: { idText: '4', method: 'ping' } },
    '{"id": "a\\"b","method":"roots/list"}': {
      ...none,
      id: null,
      hasMethod: true,
      question: { idText: '"a\\"b"', method: 'roots/list' },
    },
    '{"id":-7,"method":"x"}': { ...none, id: null, hasMethod: true, question: { idText: '-7', method: 'x' } },
    '{"id":"\\q","method":"x"}': { ...none, id: null, hasMethod: true },
    '{"id":null,"method":"x"}': { ...none, id: null, hasMethod: true },
    '{"id":1.5,"method":"x"}': { ...none, id: null, hasMethod: true },
    '{"id":{},"method":"x"}': { ...none, id: null, hasMethod: true },
    '{"id":1,"method":2}': { ...none, id: 1, hasMethod: true },
    [`{"id":"${'x'.repeat(255)}","method":"x"}`]: { ...none, id: null, hasMethod: true },
    '{"method":"notifications/progress","params":{"progressToken":5,"progress":1}}': {
      ...none,
      hasMethod: true,
      progressToken: 5,
    },
    '{"params":{"_meta":{"progressToken":6},"progressToken":5},"method":"x"}': {
      ...none,
      hasMethod: true,
      progressToken: 5,
    },
    '{"params":[{"progressToken":5}],"method":"x"}': { ...none, hasMethod: true },
    '{"other":{"progressToken":5},"method":"x"}': { ...none, hasMethod: true },
    '{}': none,
    '': null,
    'Listening on port 80': null,
    '[{"id":3}]': null,
    '{"id":3': null,
    '{"id":"3}': null,
    '{"id":3} {}': null,
    '\uFEFF{"id":3}': null,
  };
  for (const [line, expected] of Object.entries(rows)) {
    it(JSON.stringify(line), () => {
      expect(peek(Buffer.from(line))).to.deep.equal(expected);
    });
  }

  it('is found out of any depth in no memory', () => {
    const depth = 900_000;
    expect(peek(Buffer.from(`{"result":${'['.repeat(depth)}${']'.repeat(depth)},"id":3}`))).to.deep.equal({
      ...none,
      id: 3,
    });
  });
});
