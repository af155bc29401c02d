import { expect } from 'chai';
import * as comlink from 'comlink';
import { createCalledEndpoint, createCallingEndpoint, type WireEndpoint } from './endpoint.ts';

interface Greeter {
  greet(name: string, long: string): Promise<string>;
}

interface Sent {
  readonly header: string;
  readonly body: string;
}

/** A calling and a called endpoint with nothing between them but a record of what was sent. */
function connect(api: Greeter): { readonly remote: comlink.Remote<Greeter>; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const calling: WireEndpoint = createCallingEndpoint((header, body) => {
    sent.push({ header, body });
    called.receive(header, body);
  });
  const called: WireEndpoint = createCalledEndpoint(
    (header, body) => {
      sent.push({ header, body });
      calling.receive(header, body);
    },
    () => true,
  );
  comlink.expose(api, called.endpoint);
  return { remote: comlink.wrap<Greeter>(calling.endpoint), sent };
}

const ID = '1-2-3-4';
const call = (changes: Record<string, unknown>): string => JSON.stringify({ id: ID, method: 'greet', arguments: ['a'], ...changes });

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

  it('takes a call of an admitted method with texts', async () => {
    expect(endpoint.receive(call({}), 'b')).to.equal(true);
    await new Promise(setImmediate);
    expect(reached).to.deep.equal(['a b']);
    expect(answers).to.deep.equal([{ header: JSON.stringify({ id: ID }), body: 'hello' }]);
  });

  const forged: readonly (readonly [title: string, header: string])[] = [
    ['no JSON', 'greet'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"greet"'],
    ['another method', call({ method: 'secret' })],
    ['a path to a constructor', call({ method: 'constructor' })],
    ['an inherited method', call({ method: 'toString' })],
    ['a method that is no text', call({ method: ['constructor', 'constructor'] })],
    ['no arguments', JSON.stringify({ id: ID, method: 'greet' })],
    ['arguments that are no texts', call({ arguments: [{ type: 'HANDLER', name: 'proxy', value: {} }] })],
    ['arguments that are no list', call({ arguments: { length: 1, 0: 'a' } })],
    ['too many arguments', call({ arguments: ['a', 'b', 'c', 'd'] })],
    ['no id', JSON.stringify({ method: 'greet', arguments: ['a'] })],
    ['an id that is no text', call({ id: 5 })],
    ['an id of another form', call({ id: '__proto__' })],
    ['a long id', call({ id: `${'1'.repeat(200)}-2-3-4` })],
    ['a member too many', call({ path: ['constructor', 'constructor'] })],
    ['a prototype', `{"id":"${ID}","method":"greet","arguments":["a"],"__proto__":{}}`],
    ...['GET', 'SET', 'APPLY', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'].map((type) => [
      `comlink's ${type}`,
      JSON.stringify({ id: ID, type, path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'return process' }], value: { type: 'RAW', value: 1 } }),
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
    expect(endpoint.receive(call({}), 'b')).to.equal(true);
    expect(endpoint.receive(call({}), 'b')).to.equal(false);
  });
});

describe('a calling endpoint', () => {
  it('calls by name and brings the answer', async () => {
    const { remote, sent } = connect({ greet: (name, long) => Promise.resolve(`${name} ${long}`) });
    expect(await remote.greet('a', 'long text')).to.equal('a long text');
    expect(sent[0]?.header).to.match(/^\{"id":"[0-9a-f-]+","method":"greet","arguments":\["a"\]\}$/);
    expect(sent[0]?.body).to.equal('long text');
  });

  for (const [title, header] of [
    ['nobody asked for', JSON.stringify({ id: ID })],
    ['in another form', JSON.stringify({ id: ID, type: 'HANDLER', name: 'throw' })],
    ['without an id', '{}'],
  ] as const) {
    it(`refuses an answer ${title}`, () => {
      const endpoint = createCallingEndpoint(() => undefined);
      comlink.wrap(endpoint.endpoint);
      expect(endpoint.receive(header, '')).to.equal(false);
    });
  }

  it('refuses a second answer', async () => {
    const headers: string[] = [];
    const endpoint = createCallingEndpoint((header) => headers.push(header));
    const remote = comlink.wrap<Greeter>(endpoint.endpoint);
    const answer = remote.greet('a', 'b');
    const id = /"id":"([^"]+)"/.exec(headers[0] ?? '')?.[1];
    expect(endpoint.receive(JSON.stringify({ id }), 'hello')).to.equal(true);
    expect(endpoint.receive(JSON.stringify({ id }), 'again')).to.equal(false);
    expect(await answer).to.equal('hello');
  });
});
