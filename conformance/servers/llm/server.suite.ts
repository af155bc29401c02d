import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { expect } from 'chai';
import { FAULTS, type Fault } from '../http/deliver.ts';
import { secretHash } from '../http/log.ts';
import { readModelScript, type ModelStep, type WireName } from './script.ts';
import { startModelServer, type ModelServer } from './server.ts';

const ASKED: Readonly<
  Record<
    WireName,
    { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
  >
> = {
  openai: {
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer planted' },
    body: { model: 'm', messages: [{ role: 'user', content: 'good morning' }] },
  },
  anthropic: {
    path: '/v1/messages',
    headers: { 'x-api-key': 'planted' },
    body: {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'good morning' }] }],
    },
  },
  google: {
    path: '/v1beta/models/m:generateContent',
    headers: { 'x-goog-api-key': 'planted' },
    body: { contents: [{ role: 'user', parts: [{ text: 'good morning' }] }] },
  },
  bedrock: {
    path: '/model/m/converse',
    headers: { authorization: 'Bearer planted' },
    body: { messages: [{ role: 'user', content: [{ text: 'good morning' }] }] },
  },
};

describe('the scripted model server', () => {
  let server: ModelServer;
  const start = async (script: readonly ModelStep[]): Promise<ModelServer> =>
    (server = await startModelServer({ script }));
  afterEach(async () => server.close());

  async function ask(wire: WireName): Promise<Response> {
    const { path, headers, body } = ASKED[wire];
    return fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  for (const wire of ['openai', 'anthropic', 'google', 'bedrock'] as const) {
    it(`answers in the form of ${wire}, to the step that fits, and logs the credential as a hash`, async () => {
      await start([
        { match: { contains: 'good evening' }, action: { status: 500 } },
        {
          match: { wire, model: 'm', lastContains: 'morning', hasTools: false, hasSchema: false },
          action: { answer: { text: 'to you too', usage: { input: 3, output: 4 } } },
        },
      ]);
      const response = await ask(wire);
      expect(response.status).to.equal(200);
      const text = await response.text();
      expect(text)
        .to.include('to you too')
        .and.match(/oken(s|Count)":4/i);
      const [logged] = server.requests;
      expect(logged).to.include({ wire, step: 1, number: 1, connection: 1 });
      expect(JSON.stringify(logged)).not.to.include('planted');
      expect(Object.values(logged?.headers ?? {})).to.include(
        secretHash(ASKED[wire].headers['authorization'] ?? 'planted'),
      );
    });
  }

  it('says so when no step fits or all are used up', async () => {
    await start([{ action: { answer: { text: 'once' } } }]);
    expect((await ask('openai')).status).to.equal(200);
    expect((await ask('openai')).status).to.equal(418);
    expect(server.requests.map(({ step }) => step)).to.deep.equal([0, null]);
    expect(server.unused()).to.deep.equal([]);
  });

  it('tells the credential on where a script asks for it', async () => {
    await start([{ action: { status: 401, body: { error: { message: 'bad key {{credential}}' } } } }]);
    const response = await ask('openai');
    expect(response.status).to.equal(401);
    expect(await response.text()).to.include('bad key planted');
  });

  it('splits a body at every byte', async () => {
    await start([{ action: { answer: { text: 'whole' }, delivery: { split: 1 } } }]);
    expect(await (await ask('openai')).text()).to.include('whole');
  });

  it('cuts a body in its middle', async () => {
    await start([{ action: { answer: { text: 'whole' }, delivery: { cutAfter: 10 } } }]);
    const response = await ask('openai');
    expect(
      await response.text().then(
        () => 'whole',
        () => 'cut',
      ),
    ).to.equal('cut');
  });

  const OUTCOMES: Readonly<Record<Fault, (answered: Promise<Response>) => Promise<unknown>>> = {
    reset: async (answered) => expect(await refused(answered)).to.equal(true),
    half_closed: async (answered) => expect(await refused(answered)).to.equal(true),
    garbage: async (answered) => expect(await refused(answered)).to.equal(true),
    silent: async (answered) => expect(await soon(answered)).to.equal('nothing'),
    endless_headers: async (answered) => expect(await refused(answered)).to.equal(true),
    endless_informational: async (answered) => expect(await soon(answered)).to.equal('nothing'),
    endless_chunks: endlessBody,
    endless_extension: async (answered) =>
      expect(await soon(answered.then(async (response) => response.text()))).to.equal('nothing'),
    endless_trailers: async (answered) =>
      expect(
        await answered
          .then(async (response) => response.text())
          .then(
            () => 'whole',
            () => 'failed',
          ),
      ).to.equal('failed'),
    trickling_headers: async (answered) => expect(await soon(answered)).to.equal('nothing'),
    compressed: endlessBody,
    not_json: async (answered) => expect(await (await answered).text()).to.include('<html>'),
    empty: async (answered) => expect(await (await answered).text()).to.equal(''),
    huge: async (answered) => expect((await (await answered).text()).length).to.be.greaterThan(5 * 1024 * 1024),
    endless: endlessBody,
    slow: async (answered) =>
      expect(await soon(answered.then(async (response) => response.text()))).to.equal('nothing'),
  };

  for (const fault of Object.keys(FAULTS).filter((name): name is Fault => name in FAULTS)) {
    it(`can fail as ${fault}: ${FAULTS[fault]}`, async () => {
      await start([{ action: { fault } }]);
      await OUTCOMES[fault](ask('openai'));
    });
  }

  it('shows a certificate that nobody trusts', async () => {
    server = await startModelServer({ script: [], tls: 'untrusted' });
    const request = httpsRequest(`${server.url}/v1/chat/completions`, { method: 'POST' });
    const [error] = await once(request, 'error').catch((thrown: unknown) => [thrown]);
    expect(error).to.have.property('code', 'DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('refuses a script that is none, naming the step', async () => {
    await start([]);
    expect(() => readModelScript('[{"action":{"fault":"reset"}},{"action":{"fault":"nonsense"}}]')).to.throw('step 1');
    expect(readModelScript('[{"times":"any","action":{"status":500}}]')).to.have.lengthOf(1);
  });
});

async function endlessBody(answered: Promise<Response>): Promise<void> {
  const reader = (await answered).body?.getReader();
  let bytes = 0;
  while (bytes < 20_000_000) bytes += (await reader?.read())?.value?.length ?? 20_000_000;
  await reader?.cancel();
}

async function refused(answered: Promise<unknown>): Promise<boolean> {
  return answered.then(
    () => false,
    () => true,
  );
}

/** What came before a while was over. Only ever waits for something that must not come. */
async function soon(answered: Promise<unknown>): Promise<unknown> {
  const late = new Promise((resolve) => {
    setTimeout(resolve, 300, 'nothing');
  });
  return Promise.race([answered.catch(() => 'failed'), late]);
}
