/**
 * Images as vendors document them. Pages, as read on 2026-11-28: developers.openai.com/api/docs/guides/images-vision,
 * platform.claude.com/docs/en/build-with-claude/vision. The other forms are those of the vendors' libraries.
 */
import { expect } from 'chai';
import { startVendor, type VendorServer } from '../../../conformance/servers/llm/vendors/server.ts';
import { VENDOR_FAKES, type VendorFakeName } from '../../../conformance/servers/llm/vendors/vendors.ts';
import { askVendor } from '../../llm/testing/ask-vendor.ts';
import type { WireChoice } from '../../llm/vendors.ts';

const DATA = Buffer.from('\x89PNG\r\n\x1a\n and the rest of it').toString('base64');
const URL = `data:image/png;base64,${DATA}`;
const QUESTION = 'What is this?';

interface Row {
  readonly fake: VendorFakeName;
  readonly selector: string;
  readonly wire?: WireChoice;
  readonly base: string;
  /** The message of the user, as the vendor has it. */
  readonly message: unknown;
}

const IMAGE_URL = {
  role: 'user',
  content: [
    { type: 'text', text: QUESTION },
    { type: 'image_url', image_url: { url: URL } },
  ],
};
const ROWS: readonly Row[] = [
  {
    fake: 'responses',
    selector: 'openai:gpt-5.6-sol',
    base: '/v1',
    message: {
      role: 'user',
      content: [
        { type: 'input_text', text: QUESTION },
        { type: 'input_image', image_url: URL },
      ],
    },
  },
  { fake: 'chat', selector: 'openai:gpt-4.1', wire: 'chat', base: '/v1', message: IMAGE_URL },
  { fake: 'compatible', selector: 'openai-compat:http://127.0.0.1:1/v1|m', base: '/v1', message: IMAGE_URL },
  { fake: 'openrouter', selector: 'openrouter:anthropic/claude-opus-4.8', base: '/api/v1', message: IMAGE_URL },
  { fake: 'groq', selector: 'groq:meta-llama/llama-4-scout-17b-16e-instruct', base: '/openai/v1', message: IMAGE_URL },
  { fake: 'xai', selector: 'xai:grok-4.6', base: '/v1', message: IMAGE_URL },
  { fake: 'mistral', selector: 'mistral:mistral-medium-3-5', base: '/v1', message: IMAGE_URL },
  {
    fake: 'anthropic',
    selector: 'anthropic:claude-haiku-4-5',
    base: '/v1',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: QUESTION },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
      ],
    },
  },
  {
    fake: 'gemini',
    selector: 'google:gemini-3.6-flash',
    base: '/v1beta',
    message: { role: 'user', parts: [{ text: QUESTION }, { inlineData: { mimeType: 'image/png', data: DATA } }] },
  },
  {
    fake: 'bedrock',
    selector: 'amazon_bedrock:global.anthropic.claude-opus-4-8-v1:0',
    base: '',
    message: {
      role: 'user',
      content: [{ text: QUESTION }, { image: { format: 'png', source: { bytes: DATA } } }],
    },
  },
  {
    fake: 'ollama',
    selector: 'ollama:qwen3-vl',
    base: '',
    message: { role: 'user', content: QUESTION, images: [DATA] },
  },
];

const part = (changes: object = {}): object => ({ type: 'image', media_type: 'image/png', data: DATA, ...changes });

describe('an image that a user shows a model (world.md §1.9)', () => {
  let server: VendorServer;
  afterEach(async () => server.close());

  async function ask(
    { fake, selector, wire, base }: Omit<Row, 'message'>,
    content: unknown,
    role = 'user',
  ): ReturnType<typeof askVendor> {
    server = await startVendor(VENDOR_FAKES[fake], [{ text: 'A cat.' }]);
    return askVendor({
      selector,
      ...(wire !== undefined && { wire }),
      baseUrl: server.url + base,
      request: { messages: [{ role, content }] },
    });
  }

  for (const { message, ...row } of ROWS) {
    it(`is sent as ${VENDOR_FAKES[row.fake].name} documents it`, async () => {
      const outcome = await ask(row, [{ type: 'text', text: QUESTION }, part()]);
      const [exchange] = server.exchanges;
      expect(exchange?.refusal, JSON.stringify(outcome)).to.equal(null);
      const body: Readonly<Record<string, unknown>> = JSON.parse(exchange?.body ?? '{}');
      expect([body['messages'] ?? body['contents'] ?? body['input']]).to.deep.equal([[message]]);
      expect(outcome).to.have.property('kind', 'value');
    });
  }

  it('makes the context of a local model no larger by its bytes', async () => {
    const data = Buffer.alloc(600_000, 1).toString('base64');
    await ask({ fake: 'ollama', selector: 'ollama:qwen3-vl', base: '' }, [part({ data })]);
    expect(JSON.parse(server.exchanges[0]?.body ?? '{}').options.num_ctx).to.be.at.most(16_384);
  });

  const unfit: Readonly<Record<string, readonly [content: unknown, role?: string]>> = {
    'of another type': [[part({ media_type: 'image/svg+xml' })]],
    'without a type': [[{ type: 'image', data: DATA }]],
    'that is empty': [[part({ data: '' })]],
    'that is no base64': [[part({ data: 'a b=' })]],
    'by its address': [[{ type: 'image', media_type: 'image/png', url: 'https://a.example/cat.png' }]],
    'among parts that nobody knows': [[part(), { type: 'video', data: DATA }]],
    'in a message without parts': [[]],
    'in a message of the system': [[part()], 'system'],
    'in a message of the assistant': [[part()], 'assistant'],
  };
  for (const [what, [content, role]] of Object.entries(unfit)) {
    it(`${what} is refused, and nothing is sent`, async () => {
      const outcome = await ask(
        { fake: 'anthropic', selector: 'anthropic:claude-haiku-4-5', base: '/v1' },
        content,
        role,
      );
      expect(outcome).to.include({ kind: 'error', reason: 'invalid_request', proof: 'not_dispatched' });
      expect(server.exchanges).to.deep.equal([]);
    });
  }
});
