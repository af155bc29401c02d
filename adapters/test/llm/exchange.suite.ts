import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { JsonText } from '../../../contract/json/canonical.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { ModelAction, Answer, ModelStep } from '../../../conformance/servers/llm/script.ts';
import { startModelServer, type ModelServer } from '../../../conformance/servers/llm/server.ts';
import { secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import { converse } from '../../llm/converse.ts';
import type { ModelJob } from '../../llm/generate.ts';
import { GOLDEN } from '../../llm/testing/golden-bodies.ts';
import { readModelAnswer } from '../../llm/read-answer.ts';
import { routeOf } from '../../llm/route.ts';
import { openConnections, type ModelConnections } from '../../llm/transport.ts';
import { writeRequest } from '../../llm/write-request.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';

const SECRET = 'sk-planted-0123456789';
const SELECTORS = {
  openai: 'openai:gpt-4o',
  anthropic: 'anthropic:claude-haiku-4-5',
  google: 'google:gemini-2.5-pro',
  bedrock: 'amazon_bedrock:anthropic.claude-3-haiku',
} as const;
type Vendor = keyof typeof SELECTORS;
const VENDORS = ['openai', 'anthropic', 'google', 'bedrock'] as const;
/** Where each vendor's API begins, below a server's address. */
const BASES: Readonly<Record<Vendor, string>> = { openai: '/v1', anthropic: '/v1', google: '/v1beta', bedrock: '' };

const REQUEST = '{"messages":[{"content":"good morning","role":"user"}],"system":"S"}';
const WITH_TOOLS =
  '{"messages":[{"content":"good morning","role":"user"}],"tools":[{"function":{"description":"finds","name":"find","parameters":{"properties":{"id":{"type":"integer"}},"type":"object"}},"type":"function"}]}';
const WITH_SCHEMA =
  '{"messages":[{"content":"x","role":"user"}],"schema":{"properties":{"n":{"type":"integer"}},"type":"object"}}';

describe('asking a model once (providers.md §5)', () => {
  let server: ModelServer | null = null;
  let connections: ModelConnections;
  beforeEach(() => {
    connections = openConnections(SYSTEM_NETWORK);
  });
  afterEach(async () => {
    await connections.destroy();
    await server?.close();
    server = null;
  });

  interface Asking {
    readonly vendor?: Vendor;
    readonly request?: JsonText;
    readonly declaration?: Partial<ModelJob['declaration']>;
    readonly selector?: string;
    readonly openGate?: () => Promise<boolean>;
    readonly signal?: AbortSignal;
    readonly baseUrl?: string;
    readonly credential?: string;
  }

  async function ask(script: readonly ModelStep[], asking: Asking = {}): Promise<ProviderOutcome<JsonText>> {
    const { vendor = 'openai', request = REQUEST, selector = SELECTORS[vendor] } = asking;
    server ??= await startModelServer({ script });
    const route = routeOf(selector);
    if (route === null) throw new Error('no route');
    const job: ModelJob = {
      route: { ...route, baseUrl: asking.baseUrl ?? server.url + BASES[vendor] },
      declaration: {
        params: {},
        schemaMode: 'unsupported',
        cache: false,
        routing: null,
        prices: null,
        guarantees: { tokens: false, cost: false },
        region: null,
        server: null,
        responseBytes: 1_000_000,
        identity: 'sha256:1 r1',
        ...asking.declaration,
      },
      request,
      outputLimit: { value: 64, bindings: ['application_limit'] },
    };
    const written = await writeRequest(job);
    if (!written.ok) return written.failure;
    const { conversed } = await converse(written, {
      connections,
      credential: asking.credential ?? SECRET,
      secrets: () => secretTexts(asking.credential ?? SECRET),
      wire: route.wire,
      region: job.declaration.region,
      server: null,
      signal: asking.signal ?? new AbortController().signal,
      wall: () => Date.now(),
      openGate: asking.openGate ?? (async () => true),
    });
    return conversed.ok ? readModelAnswer(job, conversed.body) : conversed.failure;
  }

  async function value(answer: Answer, asking: Asking = {}): Promise<unknown> {
    const outcome = await ask([{ action: { answer } }], asking);
    return outcome.kind === 'value' ? JSON.parse(outcome.value) : outcome;
  }

  for (const vendor of VENDORS) {
    describe(`by the wire of ${vendor}`, () => {
      it('gives its text, why it stopped, and what it used', async () => {
        expect(await value({ text: 'to you too', usage: { input: 9, output: 3 } }, { vendor })).to.deep.include({
          content: 'to you too',
          finish_reason: 'stop',
        });
        const [logged] = server?.requests ?? [];
        expect(JSON.stringify(logged)).not.to.include(SECRET);
      });

      it('gives the calls of tools, several, with their arguments', async () => {
        const answered = await value(
          {
            toolCalls: [
              { id: 'a', name: 'find', args: { id: 7 } },
              { id: 'b', name: 'find', args: {} },
            ],
          },
          { vendor, request: WITH_TOOLS },
        );
        expect(answered).to.deep.include({ content: null, finish_reason: 'tool_calls' });
        expect(answered)
          .to.have.property('tool_calls')
          .that.has.length(2)
          .and.satisfies(([first, second]: readonly Record<string, unknown>[]) => {
            expect(first).to.deep.include({ name: 'find', args: { id: 7 } });
            expect(second).to.deep.include({ name: 'find', args: {} });
            return true;
          });
      });

      for (const [finish, expected] of [
        ['length', 'length'],
        ['content_filter', 'content_filter'],
        ['error', 'error'],
      ] as const) {
        it(`stopped by ${finish}`, async () => {
          const answered = await value({ text: 'so f', finish }, { vendor });
          expect(answered).to.deep.include({ finish_reason: expected });
          if (finish === 'length')
            expect(answered).to.deep.include({
              output_limit: { name: 'max_tokens', value: 64, bindings: ['application_limit'] },
            });
          else expect(answered).not.to.have.property('output_limit');
        });
      }

      it('tells what is read from a cache apart', async () => {
        expect(await value({ text: 'x', usage: { input: 100, output: 1, cacheRead: 40 } }, { vendor }))
          .to.have.property('tokens')
          .that.deep.includes({ input: 100, output: 1, cache_read: 40 });
      });

      it('tells no count that was not given', async () => {
        expect(await value({ text: 'x', usage: null }, { vendor })).to.have.deep.property('tokens', {});
      });

      it('tells the one count that was given', async () => {
        expect(await value({ text: 'x', usage: { input: 5 } }, { vendor })).to.have.deep.property('tokens', {
          input: 5,
        });
      });

      it('takes null for a usage that was not told', async () => {
        const override = { usage: null, usageMetadata: null };
        expect(await value({ text: 'x', override }, { vendor })).to.have.deep.property('tokens', {});
      });

      it('refuses an answer without a guaranteed count', async () => {
        expect(
          await value(
            { text: 'x', usage: { input: 1 } },
            { vendor, declaration: { guarantees: { tokens: true, cost: false } } },
          ),
        ).to.include({
          reason: 'usage_unavailable',
          retryable: false,
          details: 'the answer lacks counts of tokens, or a cost, that usage_guarantees promises',
        });
      });

      it('refuses counts that are none', async () => {
        expect(await value({ text: 'x', usage: { input: 'many', output: 1 } }, { vendor })).to.include({
          reason: 'invalid_request',
        });
      });

      for (const { title, request, declaration, body, headers = {} } of GOLDEN.filter(
        (golden) => golden.vendor === vendor,
      )) {
        it(`sends ${title} as the vendor documents it`, async () => {
          await ask([{ action: { answer: { text: '{"n":1}' } } }], {
            vendor,
            request,
            ...(declaration !== undefined && { declaration }),
          });
          const [logged] = server?.requests ?? [];
          expect(JSON.parse(logged?.body ?? 'null')).to.deep.equal(body);
          expect(logged?.headers).to.include(headers);
        });
      }
    });
  }

  it('counts what Gemini thought as output, which it charges as that', async () => {
    const usageFor = async (usageMetadata: unknown): Promise<unknown> => {
      await server?.close();
      server = null;
      return value(
        { text: 'x', override: { usageMetadata } },
        { vendor: 'google', selector: 'google:not-in-the-list' },
      );
    };
    expect(
      await usageFor({ promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 40 }),
    ).to.have.deep.property('tokens', { input: 3, output: 42 });
    expect(await usageFor({ promptTokenCount: 3, thoughtsTokenCount: 40 })).to.have.deep.property('tokens', {
      input: 3,
      output: 40,
    });
    for (const wrong of ['40', -1, Number.MAX_SAFE_INTEGER]) {
      expect(await usageFor({ promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: wrong })).to.include({
        reason: 'invalid_request',
      });
    }
  });

  describe('a status that is no success', () => {
    const rows: readonly (readonly [number, string, boolean])[] = [
      [401, 'authentication_failed', false],
      [402, 'payment_required', false],
      [403, 'denied', false],
      [404, 'not_found', false],
      [408, 'timeout', true],
      [409, 'invalid_request', true],
      [425, 'invalid_request', true],
      [429, 'rate_limited', true],
      [400, 'invalid_request', false],
      [422, 'invalid_request', false],
      [500, 'unavailable', true],
      [502, 'unavailable', true],
      [503, 'unavailable', true],
      [529, 'unavailable', true],
      [301, 'unavailable', false],
      [302, 'unavailable', false],
      [307, 'unavailable', false],
      [304, 'unavailable', false],
    ];
    for (const vendor of VENDORS) {
      for (const [status, reason, retryable] of rows) {
        it(`${status} by ${vendor}: ${reason}${retryable ? ', may be retried' : ''}, asked once`, async () => {
          const outcome = await ask([{ times: 'any', action: { status, headers: { location: '/elsewhere' } } }], {
            vendor,
          });
          expect(outcome).to.include({ kind: 'error', reason, retryable, proof: 'complete_answer' });
          expect(server?.requests).to.have.length(1);
        });
      }
    }

    it('tells the vendor’s words, without the credential in any form', async () => {
      const message = `bad key {{credential}} or ${Buffer.from(SECRET).toString('base64')}\u0007`;
      const outcome = await ask([{ action: { status: 401, body: { error: { message } } } }]);
      expect(outcome).to.include({ details: 'HTTP 401: bad key [redacted] or [redacted]\uFFFD' });
    });

    it('tells no part of a pair of keys on', async () => {
      const outcome = await ask(
        [{ action: { status: 403, body: { message: 'AKIAIOSFODNN7EXAMPLE may not, nor session-of-mine' } } }],
        { vendor: 'bedrock', credential: 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMIplanted:session-of-mine' },
      );
      expect(outcome).to.include({ details: 'HTTP 403: [redacted] may not, nor [redacted]' });
    });

    it('tells a status alone where the body says nothing, and no more than 1024 characters', async () => {
      expect(await ask([{ action: { status: 500, body: '<html>' } }])).to.include({ details: 'HTTP 500' });
      await server?.close();
      server = null;
      const outcome = await ask([{ action: { status: 400, body: { message: 'é'.repeat(1500) } } }]);
      expect(outcome).to.have.property('details').that.has.length(1024);
    });

    for (const [who, body, words] of [
      ['Mistral and servers written with FastAPI', { detail: 'Unauthorized' }, 'Unauthorized'],
      [
        'servers written with FastAPI, of a request that they do not take',
        { detail: [{ type: 'missing', loc: ['body', 'messages', 0], msg: 'Field required' }, { msg: 'more' }] },
        'body.messages.0: Field required',
      ],
      ['a gateway that writes plain text', 'the model\n is being loaded', 'the model is being loaded'],
      ['Bedrock, of a request that reaches no model', { Message: 'Authentication failed' }, 'Authentication failed'],
      [
        'OpenRouter, of a vendor behind it',
        { error: { message: 'Provider returned error', metadata: { raw: 'no such tool', provider_name: 'Groq' } } },
        'Provider returned error: Groq: no such tool',
      ],
      [
        'OpenRouter, of a vendor that told it in its own form',
        { error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"too long"}}' } } },
        'Provider returned error: too long',
      ],
    ] as const) {
      it(`tells the words of ${who}`, async () => {
        expect(await ask([{ action: { status: 422, body } }])).to.include({ details: `HTTP 422: ${words}` });
      });
    }

    it('400 of xAI for an unknown key is authentication_failed', async () => {
      const action = { status: 400, body: { code: 'invalid', error: 'Incorrect API key provided: xa***y.' } };
      expect(await ask([{ action }])).to.include({
        reason: 'authentication_failed',
        retryable: false,
        details: 'HTTP 400: Incorrect API key provided: xa***y.',
      });
    });

    it('400 of a vLLM without a tool parser is tool_calling_unsupported', async () => {
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      const action = { status: 400, body: { error: { message } } };
      expect(await ask([{ action }], { request: WITH_TOOLS })).to.include({ reason: 'tool_calling_unsupported' });
    });

    it('404 for want of tools is told as that, where tools were sent', async () => {
      const body = { error: { message: 'No endpoints found that support tool use.' } };
      expect(await ask([{ action: { status: 404, body } }], { request: WITH_TOOLS })).to.include({
        reason: 'tool_calling_unsupported',
        retryable: false,
      });
      await server?.close();
      server = null;
      expect(await ask([{ action: { status: 404, body } }])).to.include({ reason: 'not_found' });
    });
  });

  describe('an error that comes with a success', () => {
    const rows: readonly (readonly [string, unknown, string, boolean])[] = [
      [
        'a rate limit of the vendor behind OpenRouter',
        { error: { code: 429, message: 'slow down' } },
        'rate_limited',
        true,
      ],
      ['a key', { error: { code: '401', message: 'who?' } }, 'authentication_failed', false],
      ['no money', { error: { code: 402, message: 'pay' } }, 'payment_required', false],
      ['a code that is no status', { error: { code: 'odd', message: 'x' } }, 'unavailable', true],
      ['no code', { error: { message: 'x' } }, 'unavailable', true],
      [
        'one of its choice',
        { choices: [{ finish_reason: 'error', error: { code: 503, message: 'x' }, message: { content: '' } }] },
        'unavailable',
        true,
      ],
      [
        'one of Responses',
        { status: 'failed', output: [], error: { code: 'rate_limit_exceeded', message: 'x' } },
        'rate_limited',
        true,
      ],
    ];
    for (const [title, body, reason, retryable] of rows) {
      it(`${title}: ${reason}`, async () => {
        expect(await ask([{ action: { status: 200, body } }])).to.include({
          kind: 'error',
          reason,
          retryable,
          proof: 'complete_answer',
        });
      });
    }

    it('tells its words, without the credential', async () => {
      const outcome = await ask([
        { action: { status: 200, body: { error: { code: 429, message: 'of {{credential}}' } } } },
      ]);
      expect(outcome).to.include({ details: 'HTTP 200: of [redacted]' });
    });

    it('is none where an answer only speaks of one', async () => {
      expect(await value({ text: 'the member "error" of it', override: { error: null } })).to.include({
        content: 'the member "error" of it',
      });
    });
  });

  it('tells a key that Google does not know as that, and no other 400', async () => {
    const error = (reason: string) => ({
      status: 400,
      body: { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [{ reason }] } },
    });
    const script = [{ action: error('API_KEY_INVALID') }, { action: error('SOMETHING_ELSE') }];
    expect(await ask(script, { vendor: 'google' })).to.include({ reason: 'authentication_failed', retryable: false });
    expect(await ask([], { vendor: 'google' })).to.include({ reason: 'invalid_request' });
  });

  it('puts a refusal below what was said before it', async () => {
    const message = { role: 'assistant', content: 'I could,', refusal: 'but I will not.' };
    expect(await value({ override: { choices: [{ index: 0, finish_reason: 'stop', message }] } })).to.include({
      content: 'I could,\nbut I will not.',
    });
  });

  it('puts a refusal of Responses below what was said before it, and reads half a character there', async () => {
    const content = [
      { type: 'output_text', text: 'I could\ud83d,', annotations: [], logprobs: [] },
      { type: 'refusal', refusal: 'but I will not.' },
    ];
    const body = {
      id: 'r',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output: [{ id: 'm', type: 'message', status: 'completed', role: 'assistant', content }],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const script = [{ match: { path: '/v1/responses' }, action: { status: 200, body } }];
    const outcome = await ask(script, { selector: 'openai:gpt-5.6-sol' });
    expect(outcome.kind === 'value' && JSON.parse(outcome.value)).to.deep.include({
      content: 'I could\ufffd,\nbut I will not.',
    });
  });

  it('reads what Claude refused as a filtered answer', async () => {
    expect(await value({ override: { content: [], stop_reason: 'refusal' } }, { vendor: 'anthropic' })).to.deep.include(
      {
        content: '',
        finish_reason: 'content_filter',
      },
    );
  });

  it('reads what Gemini blocked as a filtered answer', async () => {
    const body = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } };
    const outcome = await ask([{ action: { status: 200, body } }], { vendor: 'google' });
    expect(outcome.kind === 'value' && JSON.parse(outcome.value)).to.deep.include({
      content: '',
      finish_reason: 'content_filter',
      tokens: { input: 3 },
    });
  });

  it('reads half a character as U+FFFD, in text, in arguments and in structured output', async () => {
    const half = '\\ud83d';
    const body = (message: string): ModelAction => ({
      status: 200,
      body: `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",${message}}}]}`,
    });
    const call = `"content":"a${half}","tool_calls":[{"id":"c","type":"function","function":{"name":"find","arguments":"{\\"a\\":\\"\\${half}\\"}"}}]`;
    const answered = await ask([{ action: body(call) }]);
    expect(answered.kind === 'value' && JSON.parse(answered.value)).to.deep.include({
      content: 'a\ufffd',
      tool_calls: [{ id: 'c', name: 'find', args: { a: '\ufffd' } }],
    });
    await server?.close();
    server = null;
    const structured = await ask([{ action: body(`"content":"{\\"n\\":\\"\\${half}\\"}"`) }], {
      request: WITH_SCHEMA,
      declaration: { schemaMode: 'json_schema' },
    });
    expect(structured.kind === 'value' && JSON.parse(structured.value)).to.deep.include({
      structured_output: { n: '\ufffd' },
    });
  });

  describe('a transport that fails', () => {
    // The network's words come with the attempts.
    const noJson = 'the answer is no JSON';
    const noAnswer = 'the answer is JSON, but not that of a model';
    const rows: readonly (readonly [string, ModelAction, string, boolean, string | null])[] = [
      ['a reset', { fault: 'reset' }, 'transport_error', true, null],
      ['a connection closed before an answer', { fault: 'half_closed' }, 'transport_error', true, null],
      ['bytes that are no HTTP', { fault: 'garbage' }, 'transport_error', false, null],
      ['headers that never end', { fault: 'endless_headers' }, 'transport_error', false, null],
      ['no JSON', { fault: 'not_json' }, 'invalid_result', false, noJson],
      ['no body', { fault: 'empty' }, 'invalid_result', false, noJson],
      ['more than 4 MiB', { fault: 'huge' }, 'invalid_result', false, null],
      ['a body without end', { fault: 'endless' }, 'invalid_result', false, null],
      ['a body that is cut', { answer: { text: 'x' }, delivery: { cutAfter: 20 } }, 'transport_error', true, null],
      ['a list', { status: 200, body: [] }, 'invalid_result', false, noAnswer],
      ['an object without an answer', { status: 200, body: {} }, 'invalid_result', false, noAnswer],
      ['a member twice', { status: 200, body: '{"choices":[],"choices":[]}' }, 'invalid_result', false, noJson],
    ];
    for (const [title, action, reason, retryable, details] of rows) {
      it(`${title}: ${reason}, ${details ?? 'without words of its own'}`, async () => {
        expect(await ask([{ times: 'any', action }])).to.include({ kind: 'error', reason, retryable, details });
        expect(server?.requests).to.have.length(1);
      });
    }

    it('a server that refuses: surely not sent', async () => {
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const address = closed.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      closed.close();
      await once(closed, 'close');
      expect(await ask([], { baseUrl: `http://127.0.0.1:${port}/v1` })).to.include({
        reason: 'transport_error',
        retryable: true,
        proof: 'not_dispatched',
      });
    });

    it('a name that means nothing', async () => {
      expect(await ask([], { baseUrl: 'http://nobody.invalid/v1' })).to.include({
        reason: 'transport_error',
        retryable: false,
        proof: 'not_dispatched',
      });
    });

    it('a certificate that nobody trusts', async () => {
      server = await startModelServer({ script: [], tls: 'untrusted' });
      expect(await ask([])).to.include({ reason: 'transport_error', retryable: false, proof: 'not_dispatched' });
      expect(server.requests).to.have.length(0);
    });

    it('a connection that is never there: ended when nobody waits any more, and surely not sent', async () => {
      const accepted = new Set<Socket>();
      const mute = createServer((socket) => {
        accepted.add(
          socket
            .on('close', () => accepted.delete(socket))
            .on('error', () => undefined)
            .resume(),
        );
      }).listen(0, '127.0.0.1');
      await once(mute, 'listening');
      const address = mute.address();
      const stop = new AbortController();
      const outcome = ask([], {
        baseUrl: `https://localhost:${typeof address === 'object' ? (address?.port ?? 0) : 0}/v1`,
        signal: stop.signal,
      });
      while (accepted.size === 0) await new Promise(setImmediate);
      stop.abort();
      expect(await outcome).to.include({ kind: 'error', proof: 'not_dispatched' });
      while (accepted.size > 0) await new Promise(setImmediate);
      mute.close();
    });
  });

  it('reads an answer that comes byte by byte', async () => {
    expect(await ask([{ action: { answer: { text: 'whole', usage: null }, delivery: { split: 1 } } }])).to.include({
      kind: 'value',
    });
  });

  it('sends nothing when the gate stays shut', async () => {
    expect(await ask([], { openGate: async () => false })).to.include({ kind: 'error', proof: 'not_dispatched' });
    expect(server?.connections()).to.equal(0);
  });

  it('asks for the gate once, and ends when it is cancelled', async () => {
    let requested = 0;
    const stop = new AbortController();
    const outcome = ask([{ action: { fault: 'silent' } }], {
      signal: stop.signal,
      openGate: async () => {
        requested += 1;
        return true;
      },
    });
    while (server?.requests.length !== 1) await new Promise(setImmediate);
    stop.abort();
    expect(await outcome).to.include({ kind: 'error' });
    expect(requested).to.equal(1);
  });

  it('uses a connection again, of the same installation', async () => {
    await ask([{ times: 'any', action: { answer: { text: 'x' } } }]);
    await new Promise(setImmediate);
    await ask([]);
    expect(server?.requests.map(({ connection }) => connection)).to.deep.equal([1, 1]);
  });

  describe('arguments of a call that are no object', () => {
    for (const args of ['{oops', '[1]', '"x"']) {
      it(args, async () => {
        const answered = await value({ toolCalls: [{ id: 'a', name: 'find', args }] }, { request: WITH_TOOLS });
        expect(answered)
          .to.have.property('tool_calls')
          .that.deep.equals([{ id: 'a', name: 'find', args: {}, args_error: 'the arguments are no JSON object' }]);
      });
    }
  });

  describe('cost', () => {
    const costs: readonly (readonly [number | string, number])[] = [
      [0.0000011, 2],
      ['0.00012', 120],
      [1.5e-7, 1],
      ['3', 3_000_000],
      [0, 0],
    ];
    for (const [cost, microunits] of costs) {
      it(`of the vendor, ${typeof cost} ${cost}: ${microunits} microunits`, async () => {
        expect(await value({ text: 'x', usage: { input: 1, output: 1, cost } })).to.have.deep.nested.property(
          'tokens.total_cost',
          { currency: 'USD', microunits },
        );
      });
    }
    for (const cost of ['much', '-1', `0.${'0'.repeat(63)}`]) {
      it(`that is none: ${cost.slice(0, 8)}`, async () => {
        expect(await value({ text: 'x', usage: { input: 1, output: 1, cost } })).to.include({
          reason: 'invalid_request',
        });
      });
    }
    it('of the price list, where the vendor tells none', async () => {
      // gpt-4o: 2.5 dollars per million in, 10 out.
      expect(await value({ text: 'x', usage: { input: 1000, output: 10 } })).to.have.deep.nested.property(
        'tokens.total_cost.microunits',
        2600,
      );
    });
    it('is unknown without a list, and refused where it was guaranteed', async () => {
      const compat = { selector: 'openai-compat:http://127.0.0.1:1/v1|m' };
      expect(await value({ text: 'x' }, compat)).not.to.have.nested.property('tokens.total_cost');
      await server?.close();
      server = null;
      expect(
        await value({ text: 'x' }, { ...compat, declaration: { guarantees: { tokens: true, cost: true } } }),
      ).to.include({ reason: 'usage_unavailable' });
    });
  });

  describe('structured output', () => {
    const declaration = { schemaMode: 'json_schema' } as const;
    for (const vendor of ['openai', 'anthropic', 'google'] as const) {
      it(`of ${vendor} stands in place of the text`, async () => {
        const answered = await value({ text: '{"n":1}' }, { vendor, request: WITH_SCHEMA, declaration });
        expect(answered).to.deep.include({ structured_output: { n: 1 } });
        expect(answered).not.to.have.property('content');
      });
    }
    it('that is no object is no result', async () => {
      expect(await value({ text: 'sorry' }, { request: WITH_SCHEMA, declaration })).to.include({
        reason: 'invalid_result',
        details: 'the answer is no JSON object, which the schema asks for',
      });
    });
    const formatSent = (): unknown => JSON.parse(server?.requests.at(-1)?.body ?? '{}').response_format;
    it('is asked for strictly where the schema keeps the rules of that, and else not', async () => {
      await value({ text: '{"n":1}' }, { request: WITH_SCHEMA, declaration });
      expect(formatSent()).to.have.nested.property('json_schema.strict', false);
      await server?.close();
      server = null;
      const strict = WITH_SCHEMA.replace(
        '"type":"object"}}',
        '"type":"object","required":["n"],"additionalProperties":false}}',
      );
      await value({ text: '{"n":1}' }, { request: strict, declaration });
      expect(formatSent()).to.have.nested.property('json_schema.strict', true);
    });
    it('in mode json_object is part of the system text, with the word JSON; a schema that is too long is refused', async () => {
      const objects = { schemaMode: 'json_object' } as const;
      const schemaOf = (length: number) => ({ type: 'object', description: 'd'.repeat(length) });
      const requestText = (length: number) =>
        JSON.stringify({ system: 'S', messages: [{ role: 'user', content: 'x' }], schema: schemaOf(length) });
      const most = 16_384 - JSON.stringify(schemaOf(0)).length;
      await value({ text: '{}' }, { request: requestText(most), declaration: objects });
      const [system] = JSON.parse(server?.requests[0]?.body ?? '').messages;
      expect(system.content).to.match(/^S\n\n.*JSON.*\{"description":"d+","type":"object"\}$/);
      expect(await ask([], { request: requestText(most + 1), declaration: objects })).to.include({
        reason: 'invalid_request',
        proof: 'not_dispatched',
      });
    });
    it('is refused where the installation has none, and nothing is sent', async () => {
      expect(await value({ text: 'x' }, { request: WITH_SCHEMA })).to.include({
        reason: 'structured_output_unsupported',
        proof: 'not_dispatched',
      });
      expect(server?.connections()).to.equal(0);
    });
  });

  it('refuses an answer that is larger than it may be, at the byte', async () => {
    const answer = { text: 'x', usage: null };
    const outcome = await ask([{ times: 'any', action: { answer } }]);
    const bytes = outcome.kind === 'value' ? outcome.value.length : 0;
    expect(await ask([], { declaration: { responseBytes: bytes } })).to.include({ kind: 'value' });
    expect(await ask([], { declaration: { responseBytes: bytes - 1 } })).to.include({
      reason: 'invalid_request',
      details: `the answer is longer than max_response_bytes, ${bytes - 1}`,
    });
  });

  it('signs for Bedrock with a key pair, whose secret is not sent', async () => {
    await ask([{ action: { answer: { text: 'x' } } }], {
      vendor: 'bedrock',
      credential: 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMIplanted',
    });
    const [logged] = server?.requests ?? [];
    expect(logged?.headers).to.have.property('x-amz-date');
    expect(JSON.stringify(logged)).not.to.include('wJalr');
  });

  it('sends nothing with a credential that no header can carry', async () => {
    expect(await ask([], { credential: 'two\nlines' })).to.include({
      reason: 'authentication_failed',
      proof: 'not_dispatched',
    });
    expect(server?.connections()).to.equal(0);
  });

  for (const request of [
    '{"messages":[{"role":"robot","content":"x"}]}',
    '{"messages":[{"role":"user","content":null}]}',
    '{"messages":[{"role":"tool","content":"x"}]}',
    '{"messages":[],"tools":[{"name":"x"}]}',
  ]) {
    it(`sends nothing of ${request}`, async () => {
      expect(await ask([], { request })).to.include({ reason: 'invalid_request', proof: 'not_dispatched' });
      expect(server?.connections()).to.equal(0);
    });
  }
});
