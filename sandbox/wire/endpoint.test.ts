import { expect } from 'chai';
import * as comlink from 'comlink';
import { createCalledEndpoint, createCallingEndpoint, type WireEndpoint } from './endpoint.ts';

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
    endpoint = createCalledEndpoint(
      (header, body) => answers.push({ header, body }),
      ({ method }) => method === 'greet',
    );
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
    ...['GET', 'SET', 'APPLY', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'].map(
      (type) =>
        [
          `comlink's ${type}`,
          JSON.stringify({
            id: '7',
            type,
            path: ['constructor', 'constructor'],
            argumentList: [{ type: 'RAW', value: 'return process' }],
            value: { type: 'RAW', value: 1 },
          }),
        ] as const,
    ),
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

describe('a calling endpoint', () => {
  interface Greeter {
    greet(name: string, long: string): Promise<string>;
    leave(name: string): Promise<string>;
  }

  let sent: Sent[];
  /** What was told at once, before comlink tells it. */
  let heard: string[];
  let endpoint: WireEndpoint;
  let remote: comlink.Remote<Greeter>;

  beforeEach(() => {
    sent = [];
    heard = [];
    endpoint = createCallingEndpoint(
      (header, body) => sent.push({ header, body }),
      (call, answer) => heard.push(`${call.method} ${call.arguments.join(' ')}|${call.body}: ${answer}`),
    );
    remote = comlink.wrap<Greeter>(endpoint.endpoint);
  });

  it('sends calls as one header and a body, and finds their answers in any order', async () => {
    const answers = [remote.greet('a', 'b c'), remote.leave('d')];
    expect(sent).to.deep.equal([
      { header: '1 greet a', body: 'b c' },
      { header: '2 leave', body: 'd' },
    ]);
    expect(endpoint.receive('2', 'two')).to.equal(true);
    expect(endpoint.receive('1', 'one')).to.equal(true);
    expect(heard).to.deep.equal(['leave |d: two', 'greet a|b c: one']);
    expect(await Promise.all(answers)).to.deep.equal(['one', 'two']);
  });

  it('takes no answer twice and none that nobody asked for', () => {
    void remote.leave('d');
    for (const id of ['', '0', '2', '01', '1 ', '{"id":"1"}', '__proto__'])
      expect(endpoint.receive(id, ''), id).to.equal(false);
    expect(endpoint.receive('1', 'answer')).to.equal(true);
    expect(endpoint.receive('1', '')).to.equal(false);
    expect(heard).to.deep.equal(['leave |d: answer']);
  });

  const misuses: readonly (readonly [title: string, misuse: () => unknown])[] = [
    ['an argument that is no text', () => Reflect.apply(Reflect.get(remote, 'greet'), undefined, [1])],
    ['a new object', () => Reflect.construct(Reflect.get(remote, 'greet'), ['a'])],
    ['an endpoint of its own', () => remote[comlink.createEndpoint]()],
  ];
  for (const [title, misuse] of misuses) {
    it(`lets out calls of methods with texts, not ${title}`, async () => {
      const thrown: unknown = await Promise.resolve(misuse()).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(TypeError);
      expect(sent).to.deep.equal([]);
    });
  }
});
