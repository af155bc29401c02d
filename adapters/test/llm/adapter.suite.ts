import { expect } from 'chai';
import type { ModelStep } from '../../../conformance/servers/llm/script.ts';
import { startModelServer, type ModelServer } from '../../../conformance/servers/llm/server.ts';
import type { CallRequest } from '../../../contract/provider-protocol/call.ts';
import { Secret, type Credentials } from '../../../contract/provider-protocol/credentials.ts';
import type { ProviderSession } from '../../../contract/provider-protocol/session.ts';
import { modelAdapter } from '../../llm/adapter.ts';
import type { ModelDeclaration } from '../../llm/declaration.ts';
import { modelThreads, type ModelThreads } from '../../llm/services.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';

const REQUEST = '{"messages":[{"content":"good morning","role":"user"}]}';
const LIMITS = { argumentBytes: 1_000_000, resultBytes: 1_000_000, heapWords: 5_000_000, evaluationTimeoutMs: 5000 };
const CREDENTIALS: Credentials = new Map([['key', new Secret('sk-planted-0123456789')]]);

const CONTEXT = {
  credentials: CREDENTIALS,
  network: SYSTEM_NETWORK,
  dependencies: [],
  signal: new AbortController().signal,
};

describe('a model behind its adapter, in threads (providers.md §14)', () => {
  let threads: ModelThreads;
  let server: ModelServer;
  let session: ProviderSession;
  before(() => {
    threads = modelThreads();
  });
  after(async () => threads.close());
  afterEach(async () => {
    await session.close();
    await server.close();
  });

  async function open(script: readonly ModelStep[], changes: Partial<ModelDeclaration> = {}): Promise<ProviderSession> {
    server = await startModelServer({ script });
    const acquired = await modelAdapter(threads).acquire(
      { alias: 'small', declaration: declaration(server.url, changes), traceId: 'r', limits: LIMITS },
      CONTEXT,
    );
    if (!acquired.ok) throw new Error(acquired.refusal.code);
    return (session = acquired.session);
  }

  function declaration(url: string, changes: Partial<ModelDeclaration> = {}): ModelDeclaration {
    return {
      selector: `openai-compat:${url}/v1|m`,
      credential: 'key',
      wire: 'auto',
      identity: 'sha256:1 r1',
      params: {},
      schemaMode: 'unsupported',
      cache: false,
      routing: null,
      prices: null,
      guarantees: { tokens: false, cost: false },
      needsPrice: false,
      maxCalls: 9,
      requestBytes: 1000,
      responseBytes: 100_000,
      timeoutMs: 5000,
      retry: { attempts: 1, maxWaitMs: 0 },
      region: null,
      server: null,
      ...changes,
    };
  }

  const call = (): CallRequest => ({
    capabilityId: 'c',
    name: 'llm-request',
    arguments: REQUEST,
    deadlineMs: 5000,
    resultBytes: 100_000,
    model: { requestHash: `sha256:${'0'.repeat(64)}`, outputLimit: { value: 9, bindings: ['application_limit'] } },
    keepsExchanges: false,
  });
  const opened = { openGate: async () => true };

  it('answers, and is told the credential alone', async () => {
    await open([{ action: { answer: { text: 'ok' } } }]);
    const { outcome } = await session.serve(call(), opened).answer;
    expect(outcome).to.include({ kind: 'value' });
    expect(outcome.kind === 'value' && typeof outcome.value === 'string' && JSON.parse(outcome.value)).to.deep.include({
      content: 'ok',
    });
    expect(session.model).to.include({ resolvedModel: null, isLive: true, maxCalls: 9 });
  });

  it('sends nothing where the gate is refused', async () => {
    await open([]);
    const { outcome } = await session.serve(call(), { openGate: async () => false }).answer;
    expect(outcome).to.include({ kind: 'error', proof: 'not_dispatched' });
    expect(server.connections()).to.equal(0);
  });

  it('closes the socket of a call that is cancelled, and answers the next', async () => {
    await open([{ match: {}, action: { fault: 'silent' } }, { action: { answer: { text: 'next' } } }]);
    const served = session.serve(call(), opened);
    while (server.requests.length === 0) await new Promise(setImmediate);
    served.cancel();
    expect((await served.answer).outcome).to.include({ kind: 'error' });
    while (server.openConnections() > 0) await new Promise(setImmediate);
    expect((await session.serve(call(), opened).answer).outcome).to.include({ kind: 'value' });
  });

  it('ends the call whose answer is more than a worker can hold, and no other', async () => {
    // Nearly as many bytes as an answer may have, each third of them a list: some hundred megabytes when they are read.
    const padding = Array.from({ length: 1_300_000 }, () => []);
    await open([
      { match: { contains: 'big' }, action: { answer: { text: 'x', override: { padding } } } },
      { times: 'any', action: { answer: { text: 'small' }, delivery: { delayMs: 100 } } },
    ]);
    const tight = await modelAdapter(threads).acquire(
      { alias: 'tight', declaration: declaration(server.url), traceId: 'r', limits: { ...LIMITS, heapWords: 1 } },
      CONTEXT,
    );
    if (!tight.ok) throw new Error('it opens');
    const answerTo = (text: string) =>
      tight.session.serve({ ...call(), arguments: REQUEST.replace('good morning', text) }, opened).answer;
    const [big, beside] = await Promise.all([answerTo('big'), session.serve(call(), opened).answer]);
    expect(big.outcome).to.deep.equal({ kind: 'fault', reason: 'provider_heap_exceeded', exception: null });
    expect(beside.outcome).to.include({ kind: 'value' });
    expect((await answerTo('next')).outcome, 'another worker takes its place').to.include({ kind: 'value' });
    await tight.session.close();
  });

  it('asks three hundred at once without losing one', async () => {
    await open([{ times: 'any', action: { answer: { text: 'ok' }, delivery: { delayMs: 50 } } }]);
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, async () => (await session.serve(call(), opened).answer).outcome.kind),
    );
    expect(new Set(outcomes)).to.deep.equal(new Set(['value']));
    expect(server.requests).to.have.length(300);
  });

  describe('a model that is cut within its thought (providers.md §5.4)', () => {
    const cut = { finish: 'length', text: '', usage: { input: 5, output: 9 } } as const;
    const larger = { value: 90, bindings: ['application_limit', 'model_output_limit'] } as const;
    const twice = (): CallRequest => {
      const request = call();
      return { ...request, model: request.model === null ? null : { ...request.model, largerLimit: larger } };
    };
    const limitsSent = (): unknown => server.requests.map(({ body }) => JSON.parse(body).max_tokens);
    let gates = 0;
    const counted = { openGate: async () => (gates += 1) > 0 };
    beforeEach(() => {
      gates = 0;
    });

    it('is asked once more with the larger limit, behind the same gate, and both tries count', async () => {
      await open([
        { action: { answer: cut } },
        { action: { answer: { text: 'there', usage: { input: 5, output: 30 } } } },
      ]);
      const { outcome } = await session.serve(twice(), counted).answer;
      if (outcome.kind !== 'value') throw new Error('it answers');
      expect(plainOf(outcome.value)).to.deep.include({
        content: 'there',
        tokens: { input: 10, output: 39 },
      });
      expect(outcome.usage).to.deep.equal({ input: 10, output: 39 });
      expect(limitsSent()).to.deep.equal([9, 90]);
      expect(gates).to.equal(1);
    });

    it('ends by length with the limit of the second try, where that one is cut too', async () => {
      await open([{ times: 2, action: { answer: cut } }]);
      const { outcome } = await session.serve(twice(), counted).answer;
      expect(outcome.kind === 'value' && plainOf(outcome.value)).to.deep.include({
        finish_reason: 'length',
        output_limit: { name: 'max_tokens', ...larger },
      });
    });

    it('keeps its first answer, where the second try is refused', async () => {
      await open([{ action: { answer: cut } }, { action: { status: 429 } }]);
      const { outcome } = await session.serve(twice(), counted).answer;
      expect(outcome.kind === 'value' && plainOf(outcome.value)).to.deep.include({
        finish_reason: 'length',
      });
      expect(outcome.kind === 'value' && outcome.usage).to.deep.equal({ input: 5, output: 9 });
    });

    it('has failed, where nobody knows what the second try used', async () => {
      await open([{ action: { answer: cut } }, { action: { fault: 'reset' } }]);
      const { outcome } = await session.serve(twice(), counted).answer;
      expect(outcome).to.include({ kind: 'error', proof: null, usage: null });
    });

    for (const [title, answer] of [
      ['said something', { ...cut, text: 'so f' }],
      ['called something', { ...cut, toolCalls: [{ id: 'a', name: 'find', args: {} }] }],
      ['stopped by itself', { text: '' }],
    ] as const) {
      it(`is asked once where it ${title}`, async () => {
        await open([{ action: { answer } }]);
        await session.serve(twice(), counted).answer;
        expect(server.requests).to.have.length(1);
      });
    }

    it('is asked once where no larger limit is reserved', async () => {
      await open([{ action: { answer: cut } }]);
      await session.serve(call(), counted).answer;
      expect(server.requests).to.have.length(1);
    });
  });

  it('probes with one short message and one token', async () => {
    await open([{ action: { answer: { text: 'pong', usage: { input: 1, output: 1 } } } }]);
    const { probe } = modelAdapter(threads);
    const answer = await probe?.(
      { alias: 'small', declaration: declaration(server.url), traceId: 'r', limits: LIMITS },
      CONTEXT,
    );
    expect(answer).to.deep.equal({ finding: null, isDispatched: true, usage: { input: 1, output: 1 } });
    expect(JSON.parse(server.requests[0]?.body ?? '')).to.deep.equal({
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'ping' }],
    });
  });

  const probes: readonly (readonly [number, string])[] = [
    [401, 'authentication_rejected'],
    [403, 'authentication_rejected'],
    [429, 'connectivity_rate_limited'],
    [404, 'connectivity_rejected'],
    [400, 'connectivity_rejected'],
    [402, 'connectivity_rejected'],
    [500, 'connectivity_unavailable'],
    [408, 'connectivity_rejected'],
    [302, 'connectivity_protocol_error'],
  ];
  for (const [status, finding] of probes) {
    it(`a probe answered ${status}: ${finding}`, async () => {
      await open([{ action: { status } }]);
      expect(
        await modelAdapter(threads).probe?.(
          { alias: 'small', declaration: declaration(server.url), traceId: 'r', limits: LIMITS },
          CONTEXT,
        ),
      ).to.include({ finding, isDispatched: true });
    });
  }

  const checks: readonly (readonly [string, Partial<ModelDeclaration>, string | null, (string | null)?])[] = [
    [
      'a model as it should be',
      {
        selector: 'openai:gpt-4o',
        params: { temperature: 0.3, seed: 4, presence_penalty: 1 },
        schemaMode: 'json_schema',
      },
      null,
    ],
    ['a selector of no form', { selector: 'gpt' }, 'adapter_unavailable'],
    ['a vendor that nobody knows', { selector: 'nobody:gpt' }, 'adapter_unavailable'],
    [
      'a server that is named with a password',
      { selector: 'openai-compat:https://u:p@host/v1|m' },
      'adapter_unavailable',
    ],
    ['plain HTTP to another machine', { selector: 'openai-compat:http://example.org/v1|m' }, 'adapter_unavailable'],
    [
      'a seed for Anthropic',
      { selector: 'anthropic:claude-haiku-4-5', params: { seed: 1 } },
      'model_contract_unsupported',
    ],
    [
      'a penalty for Google',
      { selector: 'google:gemini-2.5-pro', params: { presence_penalty: 1 } },
      'model_contract_unsupported',
    ],
    [
      'temperature with top_p for Anthropic',
      { selector: 'anthropic:claude-haiku-4-5', params: { temperature: 0.1, top_p: 0.9 } },
      'model_contract_unsupported',
    ],
    [
      'a temperature that Anthropic would cut',
      { selector: 'anthropic:claude-haiku-4-5', params: { temperature: 1.5 } },
      'model_contract_unsupported',
    ],
    [
      'a temperature that the model itself does not take',
      { selector: 'anthropic:claude-sonnet-5', params: { temperature: 0.5 } },
      'model_contract_unsupported',
    ],
    [
      'objects of JSON from Anthropic',
      { selector: 'anthropic:claude-haiku-4-5', schemaMode: 'json_object' },
      'model_contract_unsupported',
    ],
    ...(
      [
        ['openai:gpt-4o', 'low', null],
        ['openai:gpt-5.6-sol', 'max', []],
        ['openai:gpt-5.6-sol', 'minimal', 'none, low, medium, high, xhigh, max'],
        ['openai:gpt-5-mini', 'none', 'minimal, low, medium, high'],
        ['openai:a-model-of-tomorrow', 'xhigh', []],
        ['anthropic:claude-fable-5', 'none', 'low, medium, high, xhigh, max'],
        ['anthropic:claude-sonnet-4-6', 'xhigh', 'none, low, medium, high, max'],
        ['anthropic:claude-haiku-4-5', 'minimal', []],
        ['google:gemini-3.6-flash', 'max', 'minimal, low, medium, high'],
        ['google:gemini-2.5-pro', 'none', 'minimal, low, medium, high, xhigh, max'],
        ['deepseek:deepseek-v4-flash', 'minimal', []],
        ['groq:qwen/qwen3-32b', 'high', 'none, medium'],
        ['xai:grok-4.6', 'none', 'low, medium, high'],
        ['mistral:mistral-medium-3-5', 'low', 'none, high'],
        ['openrouter:openai/gpt-5.6-sol', 'minimal', []],
        ['amazon_bedrock:global.amazon.nova-2-lite-v1:0', 'high', 'none, low, medium'],
        ['ollama:gpt-oss:20b', 'none', 'low, medium, high'],
      ] as const
    ).map(
      ([selector, effort, used]) =>
        [
          `effort ${effort} of ${selector}`,
          { selector, params: { reasoning_effort: effort } },
          Array.isArray(used) ? null : 'model_contract_unsupported',
          Array.isArray(used)
            ? null
            : used === null
              ? 'this model takes no reasoning_effort'
              : `this model takes the reasoning_effort ${String(used)}`,
        ] as const,
    ),
    [
      'a temperature beside the thought of DeepSeek, which leaves it aside',
      { selector: 'deepseek:deepseek-v4-pro', params: { temperature: 0.2 } },
      'model_contract_unsupported',
    ],
    [
      'a temperature of DeepSeek without thought',
      { selector: 'deepseek:deepseek-v4-pro', params: { temperature: 0.2, reasoning_effort: 'none' } },
      null,
    ],
    [
      'a temperature beside the thought of GPT-5, in chat completions',
      { selector: 'openai:gpt-5-mini', wire: 'chat', params: { temperature: 0.2 } },
      'model_contract_unsupported',
    ],
    [
      'a seed for Responses, which have none',
      { selector: 'openai:gpt-5-mini', params: { seed: 1 } },
      'model_contract_unsupported',
    ],
    [
      'Responses of a vendor without them',
      { selector: 'groq:openai/gpt-oss-20b', wire: 'responses' },
      'model_contract_unsupported',
    ],
    [
      'a choice of wires where there is none',
      { selector: 'anthropic:claude-haiku-4-5', wire: 'chat' },
      'model_contract_unsupported',
    ],
    ['Responses of a compatible server', { wire: 'responses' }, null],
    ['a schema for ollama', { selector: 'ollama:llama3', schemaMode: 'json_schema' }, 'model_contract_unsupported'],
    [
      'a penalty for ollama',
      { selector: 'ollama:llama3', params: { frequency_penalty: 1 } },
      'model_contract_unsupported',
    ],
    [
      'a mode that Anthropic lacks, and says which it has',
      { selector: 'anthropic:claude-haiku-4-5', schemaMode: 'json_object' },
      'model_contract_unsupported',
      'anthropic has no structured output in mode json_object; write json_schema or unsupported',
    ],
    [
      'a promise of cost without prices, and says how to make it',
      { selector: 'ollama:llama3', guarantees: { tokens: true, cost: true } },
      'model_contract_unsupported',
      'ollama has no price, so no cost can be guaranteed; write "cost_currency": null, or name prices in the installation',
    ],
    [
      'a mistyped prefix, and guesses it',
      { selector: 'opneai:gpt-4o' },
      'adapter_unavailable',
      'the prefix of a model selector is one of openai, openrouter, groq, xai, deepseek, mistral, together, fireworks, cerebras, anthropic, google, amazon_bedrock, ollama, openai-compat; did you mean openai?',
    ],
    [
      'a server at localhost, and says how to write it',
      { selector: 'openai-compat:http://localhost:8000/v1|m' },
      'adapter_unavailable',
      'this machine is 127.0.0.1 or [::1] in a model selector, not localhost',
    ],
    [
      'a server in the network without TLS',
      { selector: 'openai-compat:http://10.0.0.5:8000/v1|m' },
      'adapter_unavailable',
      'the model selector has the form PREFIX:MODEL, or openai-compat:BASE_URL|MODEL with an https address by name, or http at 127.0.0.1 or [::1]',
    ],
    ['a schema for a compatible server', { schemaMode: 'json_schema' }, null],
    [
      'a cost that nobody could know',
      { selector: 'ollama:llama3', guarantees: { tokens: true, cost: true } },
      'model_contract_unsupported',
    ],
    [
      'a budget of cost without a price',
      { selector: 'openai:not-in-the-list', needsPrice: true },
      'model_contract_unsupported',
    ],
    ['a budget of cost with a price', { selector: 'openai:gpt-4o', needsPrice: true }, null],
  ];
  for (const [title, changes, code, hint] of checks) {
    it(`checks ${title} locally: ${code ?? 'nothing is wrong'}`, async () => {
      await open([]);
      const checked = await modelAdapter(threads).checkLocally?.(
        declaration(server.url, changes),
        new AbortController().signal,
      );
      expect(checked?.finding?.code ?? null).to.equal(code);
      if (hint !== undefined) expect(checked?.finding?.hint ?? null).to.equal(hint);
      expect(server.connections()).to.equal(0);
    });
  }
});

/** An adapter answers with the text that its worker wrote. */
function plainOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
