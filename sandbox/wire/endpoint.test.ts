import { expect } from 'chai';
import * as comlink from 'comlink';
import { createCalledEndpoint, type WireEndpoint } from './endpoint.ts';

interface Sent {
  readonly header: string;
  readonly body: string;
}

describe('a called endpoint', () => {
  let reached: string[];
  let answers: Sent[];
  let endpoint: WireEndpoint;

  beforeEach(() => {
    reached = [];
    answers = [];
    endpoint = createCalledEndpoint((header, body) => answers.push({ header, body }), ({ method }) => method === 'greet');
    comlink.expose(
      {
        greet: (name: string, long: string) => {
          reached.push(`${name} ${long}`);
          return Promise.resolve('hello');
        },
        secret: () => {
          reached.push('secret');
        },
      },
      endpoint.endpoint,
    );
  });

  it('takes a call of an admitted method with texts, and answers it by its id', async () => {
    expect(endpoint.receive('7 greet a', 'b')).to.equal(true);
    await new Promise(setImmediate);
    expect(reached).to.deep.equal(['a b']);
    expect(answers).to.deep.equal([{ header: '7', body: 'hello' }]);
  });

  const forged: readonly (readonly [title: string, header: string])[] = [
    ['nothing', ''],
    ['no method', '7'],
    ['no id', 'greet a'],
    ['another method', '7 secret a'],
    ['a method without a name', '7  a'],
    ['a path to a constructor', '7 constructor a'],
    ['an inherited method', '7 toString a'],
    ['too many arguments', '7 greet a b c d'],
    ['an id of another form', '__proto__ greet a'],
    ['an id with a sign', '-7 greet a'],
    ['a long id', `${'1'.repeat(16)} greet a`],
    ...['GET', 'SET', 'APPLY', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'].map((type) => [
      `comlink's ${type}`,
      JSON.stringify({ id: '7', type, path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'return process' }], value: { type: 'RAW', value: 1 } }),
    ] as const),
  ];
  for (const [title, header] of forged) {
    it(`refuses ${title} and reaches nothing`, async () => {
      expect(endpoint.receive(header, 'b')).to.equal(false);
      await new Promise(setImmediate);
      expect(reached).to.deep.equal([]);
      expect(answers).to.deep.equal([]);
    });
  }

  it('refuses an id that is in use', () => {
    expect(endpoint.receive('7 greet a', 'b')).to.equal(true);
    expect(endpoint.receive('7 greet a', 'b')).to.equal(false);
  });
});
