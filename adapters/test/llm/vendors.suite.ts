import { expect } from 'chai';
import { VENDOR_FAKES, type VendorFakeName } from '../../../conformance/servers/llm/vendors/vendors.ts';
import { startVendor, type VendorServer } from '../../../conformance/servers/llm/vendors/server.ts';
import type { VendorTurn } from '../../../conformance/servers/llm/vendors/vendor.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { askVendor, type Asking } from '../../llm/testing/ask-vendor.ts';
import type { WireChoice } from '../../llm/vendors.ts';

interface Vendor {
  readonly fake: VendorFakeName;
  readonly selector: string;
  readonly wire?: WireChoice;
  /** Where its API begins, below a server's address. */
  readonly base: string;
  readonly effort: string;
  /** Whether the vendor returns its reasoning and wants it back. */
  readonly carries: boolean;
}

const VENDORS: readonly Vendor[] = [
  { fake: 'responses', selector: 'openai:gpt-5.6-sol', base: '/v1', effort: 'medium', carries: true },
  { fake: 'responses', selector: 'openai:gpt-6-astra', base: '/v1', effort: 'max', carries: true },
  { fake: 'responses', selector: 'openai:o3', base: '/v1', effort: 'low', carries: true },
  { fake: 'chat', selector: 'openai:gpt-5.6-sol', wire: 'chat', base: '/v1', effort: 'none', carries: false },
  { fake: 'responses', selector: 'xai:grok-4.6', wire: 'responses', base: '/v1', effort: 'high', carries: true },
  {
    fake: 'responses',
    selector: 'openai-compat:http://127.0.0.1:1/v1|any',
    wire: 'responses',
    base: '/v1',
    effort: 'low',
    carries: true,
  },
  { fake: 'anthropic', selector: 'anthropic:claude-haiku-4-5', base: '/v1', effort: 'high', carries: true },
  { fake: 'anthropic', selector: 'anthropic:claude-opus-4-8', base: '/v1', effort: 'xhigh', carries: true },
  { fake: 'anthropic', selector: 'anthropic:claude-fable-5', base: '/v1', effort: 'low', carries: true },
  { fake: 'gemini', selector: 'google:gemini-3.6-flash', base: '/v1beta', effort: 'medium', carries: true },
  { fake: 'gemini', selector: 'google:gemini-2.5-pro', base: '/v1beta', effort: 'max', carries: true },
  { fake: 'deepseek', selector: 'deepseek:deepseek-v4-pro', base: '/v1', effort: 'xhigh', carries: true },
  {
    fake: 'openrouter',
    selector: 'openrouter:anthropic/claude-opus-4.8',
    base: '/api/v1',
    effort: 'high',
    carries: true,
  },
  {
    fake: 'bedrock',
    selector: 'amazon_bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    base: '',
    effort: 'low',
    carries: true,
  },
  {
    fake: 'bedrock',
    selector: 'amazon_bedrock:global.anthropic.claude-opus-4-8-v1:0',
    base: '',
    effort: 'max',
    carries: true,
  },
  { fake: 'groq', selector: 'groq:openai/gpt-oss-120b', base: '/openai/v1', effort: 'high', carries: true },
  { fake: 'groq', selector: 'groq:qwen/qwen3-32b', base: '/openai/v1', effort: 'medium', carries: true },
  { fake: 'xai', selector: 'xai:grok-4.6', base: '/v1', effort: 'high', carries: true },
  { fake: 'mistral', selector: 'mistral:mistral-medium-3-5', base: '/v1', effort: 'high', carries: true },
  { fake: 'ollama', selector: 'ollama:qwen3', base: '', effort: 'high', carries: true },
  { fake: 'ollama', selector: 'ollama:gpt-oss:20b', base: '', effort: 'high', carries: true },
  {
    fake: 'compatible',
    selector: 'openai-compat:http://127.0.0.1:1/v1|m',
    base: '/v1',
    effort: 'high',
    carries: true,
  },
];

/** Ids that Mistral takes, which every vendor does. */
const TURNS: readonly VendorTurn[] = [
  {
    thought: 'First "look" at 7: é \u{1F600}.',
    text: 'I look.',
    calls: [{ id: 'callAAAA1', name: 'find', args: { id: 7 } }],
  },
  {
    thought: 'Then at 8\nand 9.',
    calls: [
      { id: 'callBBBB2', name: 'find', args: { id: 8 } },
      { id: 'callCCCC3', name: 'find', args: { id: 9 } },
    ],
  },
  { thought: 'That is all.', text: 'Three books.' },
];

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'find',
      description: 'Finds a book.',
      parameters: {
        type: 'object',
        properties: { id: { type: 'integer' }, note: { type: 'string' } },
        required: ['id'],
      },
    },
  },
];

/** The only tool of the agent loop. */
const LOOP_TOOLS = [
  {
    type: 'function',
    function: { name: 'run_svc_lisp', parameters: { type: 'object', properties: { program: { type: 'string' } } } },
  },
];
const TWO_CALLS: VendorTurn = {
  calls: [
    { id: 'callAAAA1', name: 'run_svc_lisp', args: { program: '(def a 1)' } },
    { id: 'callBBBB2', name: 'run_svc_lisp', args: { program: '(return a)' } },
  ],
};
/** Selectors of rows above whose vendor documents no switch for the model. */
const WITHOUT_SWITCH = /^(?:openai:o3|google:|deepseek:|ollama:|openai-compat:)/;

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

interface Answered {
  readonly content: string | null;
  readonly tool_calls?: readonly Call[];
  readonly finish_reason: string;
}

function answered(outcome: ProviderOutcome<string>): Answered {
  if (outcome.kind !== 'value') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.value);
}

function thoughtOf(outcome: ProviderOutcome<string>) {
  return outcome.kind === 'value' ? (outcome.thought ?? null) : null;
}

describe('an agent with tools that thinks, against the rules of each vendor (providers.md §5.8)', () => {
  let server: VendorServer;
  afterEach(async () => server.close());

  async function open(fake: VendorFakeName, turns: readonly VendorTurn[]): Promise<VendorServer> {
    return (server = await startVendor(VENDOR_FAKES[fake], turns));
  }

  function asking({ selector, wire, base, effort }: Vendor, request: unknown): Asking {
    return {
      selector,
      ...(wire !== undefined && { wire }),
      baseUrl: server.url + base,
      request,
      declaration: { params: { reasoning_effort: effort } },
    };
  }

  /** Asks until the model calls no tool; each message goes back with what its answer gave to carry. */
  async function converse(vendor: Vendor, carry: (text: string) => string | undefined = (text) => text) {
    const messages: unknown[] = [{ role: 'user', content: 'Find three books.' }];
    const outcomes: ProviderOutcome<string>[] = [];
    for (;;) {
      const outcome = await askVendor(asking(vendor, { system: 'Be brief.', messages, tools: TOOLS }));
      outcomes.push(outcome);
      if (outcome.kind !== 'value') return outcomes;
      const { content, tool_calls: calls = [] } = answered(outcome);
      if (calls.length === 0) return outcomes;
      const input = outcome.thought?.continuation ?? null;
      const continuation = input === null ? undefined : carry(input);
      messages.push(
        { role: 'assistant', content, tool_calls: calls, ...(continuation !== undefined && { continuation }) },
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `book of ${id}` })),
      );
    }
  }

  for (const vendor of VENDORS) {
    const { fake, selector, effort, carries } = vendor;
    describe(`${VENDOR_FAKES[fake].name}: ${selector}, effort ${effort}`, () => {
      it('finishes in three turns, each of which carries back what the ones before gave, byte for byte', async () => {
        await open(fake, TURNS);
        const outcomes = await converse(vendor);
        expect(server.exchanges.map(({ refusal }) => refusal)).to.deep.equal([null, null, null]);
        expect(outcomes.map((outcome) => answered(outcome).content)).to.deep.equal(['I look.', null, 'Three books.']);
        expect(outcomes.map((outcome) => answered(outcome).finish_reason)).to.deep.equal([
          fake === 'gemini' ? answered(outcomes[0] ?? expect.fail()).finish_reason : 'tool_calls',
          fake === 'gemini' ? answered(outcomes[1] ?? expect.fail()).finish_reason : 'tool_calls',
          'stop',
        ]);
        expect(answered(outcomes[1] ?? expect.fail()).tool_calls?.map(({ args }) => args)).to.deep.equal([
          { id: 8 },
          { id: 9 },
        ]);
        const [, second, third] = server.exchanges;
        for (const piece of server.answered[0]?.pieces ?? []) expect(second?.body).to.include(piece);
        for (const piece of server.answered.slice(0, 2).flatMap(({ pieces }) => pieces))
          expect(third?.body).to.include(piece);
        expect(
          outcomes.slice(0, 2).map((outcome) => typeof thoughtOf(outcome)?.continuation === 'string'),
        ).to.deep.equal([carries, carries]);
      });

      const hasSwitch = !WITHOUT_SWITCH.test(selector);
      it(`${hasSwitch ? 'is held' : 'cannot be held'} to one call by its switch, which only the loop asks for`, async () => {
        await open(fake, [TWO_CALLS, TWO_CALLS]);
        const messages = [{ role: 'user', content: 'Go.' }];
        const inLoop = await askVendor(asking(vendor, { messages, tools: LOOP_TOOLS }));
        const [first] = TOOLS;
        const elsewhere = await askVendor(asking(vendor, { messages, tools: [first, ...LOOP_TOOLS] }));
        expect(server.exchanges.map(({ refusal }) => refusal)).to.deep.equal([null, null]);
        expect([inLoop, elsewhere].map((outcome) => answered(outcome).tool_calls?.length)).to.deep.equal([
          hasSwitch ? 1 : 2,
          2,
        ]);
        expect(server.exchanges.map(({ body }) => /parallel_tool/.test(body))).to.deep.equal([hasSwitch, false]);
      });

      if (carries)
        it('refuses, as the vendor does, a turn whose thought was changed', async () => {
          await open(fake, TURNS);
          const outcomes = await converse(vendor, (text) => text.replaceAll('First', 'Last').replaceAll('1/+', '2/+'));
          expect(outcomes.at(-1)).to.include({ kind: 'error', reason: 'invalid_request', retryable: false });
        });
    });
  }
});
