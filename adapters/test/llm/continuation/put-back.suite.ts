import { expect } from 'chai';
import { CONTINUATION_BYTES_MAX } from '../../../../contract/provider-protocol/outcome.ts';
import { startModelServer, type ModelServer } from '../../../../conformance/servers/llm/server.ts';
import type { ModelStep } from '../../../../conformance/servers/llm/script.ts';
import { askVendor, type Asking } from '../../../llm/testing/ask-vendor.ts';

/** An answer of DeepSeek as no writer of ours would write it: spaces, escapes, and a number beyond every double. */
const ODD_THOUGHT = '"first \\u00e9,\\/ then \\n that"';
const ODD_CALL =
  '{ "index":0, "id":"c1", "type":"function", "function": {"name":"find","arguments":"{\\"id\\": 12345678901234567890, \\"x\\": 1.0}"} }';
const ODD_USAGE = '"usage":{"prompt_tokens":1,"completion_tokens":1}';
const ODD_BODY = `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant", "content" : null,
  "reasoning_content": ${ODD_THOUGHT}, "tool_calls":[${ODD_CALL}]}}],${ODD_USAGE}}`;

const CALL = { id: 'c1', name: 'find', args: { id: 7 } };
const RESULT = { role: 'tool', tool_call_id: 'c1', content: 'a book' };

describe('what goes back to a vendor (providers.md §5.8)', () => {
  let server: ModelServer;
  afterEach(async () => server.close());

  async function open(script: readonly ModelStep[]): Promise<void> {
    server = await startModelServer({ script });
  }

  function asking(messages: readonly unknown[], changes: Partial<Asking> = {}): Asking {
    return {
      selector: 'deepseek:deepseek-v4-pro',
      baseUrl: `${server.url}/v1`,
      request: { messages },
      declaration: { guarantees: { tokens: false, cost: false } },
      ...changes,
    };
  }

  async function odd(): Promise<string> {
    await open([{ action: { status: 200, body: ODD_BODY } }, { times: 'any', action: { answer: { text: 'ok' } } }]);
    const outcome = await askVendor(asking([{ role: 'user', content: 'x' }]));
    const continuation = outcome.kind === 'value' ? (outcome.thought?.continuation ?? null) : null;
    if (continuation === null) throw new Error('it carries something');
    return continuation;
  }

  const turn = (continuation: unknown, calls: readonly unknown[] = [CALL]) => [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'said', tool_calls: calls, continuation },
  ];

  /** The body of the last request that the server got. */
  const sent = (): string => server.requests.at(-1)?.body ?? '';

  it('is every byte of it, whatever numbers, spaces and escapes it has', async () => {
    await askVendor(asking([...turn(await odd()), RESULT]));
    expect(sent()).to.include(ODD_CALL).and.to.include(`"reasoning_content":${ODD_THOUGHT}`);
    expect(JSON.parse(sent()).messages[1]).to.have.all.keys('role', 'content', 'reasoning_content', 'tool_calls');
  });

  it('is beside the value: no content and no member of it', async () => {
    await open([{ action: { status: 200, body: ODD_BODY } }]);
    const outcome = await askVendor(asking([{ role: 'user', content: 'x' }]));
    if (outcome.kind !== 'value') throw new Error('it answers');
    expect(outcome.thought).to.include({ text: 'first é,/ then \n that', droppedBytes: null });
    expect(outcome.value).not.to.include('first');
    expect(JSON.parse(outcome.value)).to.have.all.keys('content', 'tool_calls', 'finish_reason', 'tokens');
  });

  for (const [title, changes] of [
    ['another installation', { declaration: { identity: 'sha256:2 r1', guarantees: { tokens: false, cost: false } } }],
    ['another revision', { declaration: { identity: 'sha256:1 r2', guarantees: { tokens: false, cost: false } } }],
    ['another wire', { selector: 'openai-compat:http://127.0.0.1:1/v1|m', wire: 'responses' }],
  ] as const) {
    it(`does not go to ${title}: the message goes as it is`, async () => {
      await askVendor(asking([...turn(await odd()), RESULT], changes));
      expect(sent()).not.to.include('first');
      expect(sent()).to.include('said');
    });
  }

  it('gives DeepSeek an empty thought in a message of another model, which it refuses without', async () => {
    await open([{ action: { answer: { text: 'ok' } } }]);
    await askVendor(asking([...turn(null), RESULT]));
    expect(JSON.parse(sent()).messages[1]).to.include({ reasoning_content: '' });
    await server.close();
    await open([{ action: { answer: { text: 'ok' } } }]);
    const declaration = { params: { reasoning_effort: 'none' }, guarantees: { tokens: false, cost: false } };
    await askVendor(asking([...turn(null), RESULT], { declaration }));
    expect(JSON.parse(sent()).messages[1]).not.to.have.property('reasoning_content');
  });

  it('gives Gemini no placeholder in a turn of its own, and what Google documents in one of another model', async () => {
    const part = '{"functionCall":{"name":"find","args":{"id": 7}},"thoughtSignature":"Cs4B/+=="}';
    const other = '{"functionCall":{"name":"find","args":{"id":8}}}';
    const body = `{"candidates":[{"content":{"role":"model","parts":[${part},${other}]},"finishReason":"STOP"}]}`;
    await open([{ action: { status: 200, body } }, { times: 2, action: { answer: { text: 'ok' } } }]);
    const google = { selector: 'google:gemini-3.6-flash', baseUrl: `${server.url}/v1beta` };
    const outcome = await askVendor(asking([{ role: 'user', content: 'x' }], google));
    if (outcome.kind !== 'value') throw new Error('it answers');
    const calls: readonly { readonly id: string }[] = JSON.parse(outcome.value).tool_calls;
    const results = calls.map(({ id }) => ({ ...RESULT, tool_call_id: id }));
    await askVendor(asking([...turn(outcome.thought?.continuation, calls), ...results], google));
    expect(sent()).to.include(`[${part},${other}]`).and.not.to.include('skip_thought_signature_validator');
    await askVendor(asking([...turn(null, calls), ...results], google));
    expect(sent()).to.include('skip_thought_signature_validator');
  });

  it('leaves out a call that the message does not make, and is dropped for one that its vendor never made', async () => {
    const continuation = await odd();
    await askVendor(asking([...turn(continuation, []), { role: 'user', content: 'go on' }]));
    expect(sent()).to.include(ODD_THOUGHT).and.not.to.include('12345678901234567890');
    await askVendor(
      asking([...turn(continuation, [CALL, { ...CALL, id: 'c2' }]), RESULT, { ...RESULT, tool_call_id: 'c2' }]),
    );
    expect(sent()).not.to.include(ODD_THOUGHT);
  });

  for (const [title, text] of [
    ['no JSON', 'x'],
    ['another form', '{"version":2}'],
    ['no text', 7],
    [
      'an item that is no JSON',
      '{"identity":"sha256:1 r1","items":[{"call":null,"json":"1],\\"model\\":\\"other","member":"content"}],"version":1,"wire":"chat"}',
    ],
    [
      'a member that no message has',
      '{"identity":"sha256:1 r1","items":[{"call":"c1","json":"1","member":"role"}],"version":1,"wire":"chat"}',
    ],
  ] as const) {
    it(`of ${title} changes nothing of the request but its own message`, async () => {
      await open([{ action: { answer: { text: 'ok' } } }]);
      await askVendor(asking([...turn(text), RESULT]));
      const body = JSON.parse(sent());
      expect(body).to.include({ model: 'deepseek-v4-pro' });
      expect(body.messages.map(({ role }: { role: string }) => role)).to.deep.equal(['user', 'assistant', 'tool']);
    });
  }

  it('is dropped when it exceeds its limit, and its size is reported', async () => {
    const answer = (length: number) => ({
      choices: [{ finish_reason: 'stop', message: { content: 'x', reasoning_content: 'a'.repeat(length) } }],
    });
    const thoughtFor = async (length: number) => {
      await open([{ action: { status: 200, body: answer(length) } }]);
      const outcome = await askVendor(asking([{ role: 'user', content: 'x' }]));
      await server.close();
      return outcome.kind === 'value' ? outcome.thought : undefined;
    };
    const overhead = (await thoughtFor(1000))?.continuation?.length ?? 0;
    const most = CONTINUATION_BYTES_MAX - overhead + 1000;
    expect((await thoughtFor(most))?.continuation).to.have.length(CONTINUATION_BYTES_MAX);
    expect(await thoughtFor(most + 1)).to.deep.include({
      continuation: null,
      droppedBytes: CONTINUATION_BYTES_MAX + 1,
    });
  });

  it('is nothing of a model on Bedrock that does not sign what it thought', async () => {
    const content = [{ reasoningContent: { reasoningText: { text: 'hm' } } }, { text: 'x' }];
    await open([
      {
        action: { status: 200, body: { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn' } },
      },
    ]);
    const bedrock = { selector: 'amazon_bedrock:deepseek.r1-v1:0', baseUrl: server.url };
    const outcome = await askVendor(asking([{ role: 'user', content: 'x' }], bedrock));
    expect(outcome.kind === 'value' && outcome.thought).to.deep.equal({
      continuation: null,
      droppedBytes: null,
      text: 'hm',
    });
  });

  it('is absent when the vendor gave nothing but its answer', async () => {
    await open([{ action: { answer: { text: 'x' } } }]);
    expect(await askVendor(asking([{ role: 'user', content: 'x' }]))).not.to.have.property('thought');
  });
});
