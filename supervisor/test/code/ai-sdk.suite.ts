/** `@svc-lisp/svc/ai` against each supported major of the AI SDK (code-mode.md §6). */
import { expect } from 'chai';
import * as oldest from 'ai-5';
import { MockLanguageModelV2 } from 'ai-5/test';
import * as middle from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import * as newest from 'ai-7';
import { MockLanguageModelV4 } from 'ai-7/test';
import { z } from 'zod';
import type { CodeSession, Supervisor } from '../../api/supervisor.ts';
import { codeTool, toolsFromAi, type CodeTool } from '../../code/ai/ai.ts';
import { openSupervisor, tool, valueOf } from './embedded.ts';

interface SeenPrompt {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly object[];
}

/** A model that calls `code` once with a program, then says that it is done; `seen`: what it was asked with. */
interface Scripted {
  /** What `generateText` came to, and what the model was shown of the result of its call. */
  generate(
    code: CodeTool,
    program: string,
    abortSignal?: AbortSignal,
  ): Promise<{ readonly text: string; readonly seen: SeenPrompt[] }>;
  stream(code: CodeTool, program: string): Promise<{ readonly text: string; readonly seen: SeenPrompt[] }>;
}

const USAGE_V2 = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const USAGE_V3 = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const USAGE_V4 = USAGE_V3;

const callOf = (program: string) =>
  ({ type: 'tool-call', toolCallId: 'call-1', toolName: 'code', input: JSON.stringify({ program }) }) as const;
const DONE = { type: 'text', text: 'done' } as const;

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const textParts = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'done' },
  { type: 'text-end', id: '1' },
] as const;

const v5: Scripted = {
  async generate(code, program, abortSignal) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV2({
      doGenerate: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          content: [isFirst ? callOf(program) : DONE],
          finishReason: isFirst ? 'tool-calls' : 'stop',
          usage: USAGE_V2,
          warnings: [],
        };
      },
    });
    const { text } = await oldest.generateText({
      model,
      prompt: 'Do it.',
      tools: { code },
      stopWhen: oldest.stepCountIs(3),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
    return { text, seen };
  },
  async stream(code, program) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV2({
      doStream: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          stream: streamOf([
            ...(isFirst ? [callOf(program)] : textParts),
            { type: 'finish', finishReason: isFirst ? 'tool-calls' : 'stop', usage: USAGE_V2 } as const,
          ]),
        };
      },
    });
    const { text } = oldest.streamText({ model, prompt: 'Do it.', tools: { code }, stopWhen: oldest.stepCountIs(3) });
    return { text: await text, seen };
  },
};

const v6: Scripted = {
  async generate(code, program, abortSignal) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          content: [isFirst ? callOf(program) : DONE],
          finishReason: isFirst ? { unified: 'tool-calls', raw: undefined } : { unified: 'stop', raw: undefined },
          usage: USAGE_V3,
          warnings: [],
        };
      },
    });
    const { text } = await middle.generateText({
      model,
      prompt: 'Do it.',
      tools: { code },
      stopWhen: middle.stepCountIs(3),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
    return { text, seen };
  },
  async stream(code, program) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV3({
      doStream: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          stream: streamOf([
            ...(isFirst ? [callOf(program)] : textParts),
            {
              type: 'finish',
              finishReason: isFirst ? { unified: 'tool-calls', raw: undefined } : { unified: 'stop', raw: undefined },
              usage: USAGE_V3,
            } as const,
          ]),
        };
      },
    });
    const { text } = middle.streamText({ model, prompt: 'Do it.', tools: { code }, stopWhen: middle.stepCountIs(3) });
    return { text: await text, seen };
  },
};

const v7: Scripted = {
  async generate(code, program, abortSignal) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          content: [isFirst ? callOf(program) : DONE],
          finishReason: isFirst ? { unified: 'tool-calls', raw: undefined } : { unified: 'stop', raw: undefined },
          usage: USAGE_V4,
          warnings: [],
        };
      },
    });
    const { text } = await newest.generateText({
      model,
      prompt: 'Do it.',
      tools: { code },
      stopWhen: newest.isStepCount(3),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
    return { text, seen };
  },
  async stream(code, program) {
    const seen: SeenPrompt[] = [];
    const model = new MockLanguageModelV4({
      doStream: async (options) => {
        seen.push(options);
        const isFirst = seen.length === 1;
        return {
          stream: streamOf([
            ...(isFirst ? [callOf(program)] : textParts),
            {
              type: 'finish',
              finishReason: isFirst ? { unified: 'tool-calls', raw: undefined } : { unified: 'stop', raw: undefined },
              usage: USAGE_V4,
            } as const,
          ]),
        };
      },
    });
    const { text } = newest.streamText({ model, prompt: 'Do it.', tools: { code }, stopWhen: newest.isStepCount(3) });
    return { text: await text, seen };
  },
};

/** What the model was shown of its call. */
function shownIn(seen: readonly SeenPrompt[]): { readonly type?: unknown; readonly value?: unknown } {
  const content: unknown = seen[1]?.prompt.findLast(({ role }) => role === 'tool')?.content;
  const [part]: readonly { readonly output?: object }[] = Array.isArray(content) ? content : [];
  return part?.output ?? {};
}

describe('@svc-lisp/svc/ai', () => {
  let supervisor: Supervisor | null = null;
  let session: CodeSession | null = null;
  let called = Promise.withResolvers<AbortSignal>();
  beforeEach(async () => {
    called = Promise.withResolvers();
    supervisor = await openSupervisor();
    session = await supervisor.openSession({
      tools: {
        listCities: tool(() => ['Rome', 'Oslo'], { effect: 'read', description: 'All cities.' }),
        hang: tool((_, { signal }) => {
          called.resolve(signal);
          return new Promise(() => undefined);
        }),
      },
    });
  });
  afterEach(async () => {
    await supervisor?.close();
  });

  const open = (): CodeSession => {
    if (session === null) throw new Error('no session is open');
    return session;
  };

  for (const [name, sdk] of Object.entries({
    'the oldest major': v5,
    'the major between': v6,
    'the newest major': v7,
  })) {
    describe(`with ${name}`, () => {
      it('has a model run a program, and shows it the value (53)', async () => {
        const { text, seen } = await sdk.generate(codeTool(open()), '(count (:value (tool/list-cities {})))');
        expect(text).to.equal('done');
        const [offered] = seen[0]?.tools ?? [];
        expect(offered).to.deep.include({ type: 'function', name: 'code' });
        expect(offered).to.have.nested.property('inputSchema.properties.program.type', 'string');
        expect(offered).to.have.property('description').that.contains('(tool/list-cities) -> any ; All cities.');
        expect(shownIn(seen)).to.deep.include({ type: 'text', value: '2' });
      });

      it('shows what went wrong as text, with its place', async () => {
        const { seen } = await sdk.generate(codeTool(open()), '(tool/list-cities {})\n(inc unknown-name)');
        const { type, value } = shownIn(seen);
        expect(type).to.equal('error-text');
        expect(value).to.contain('unbound_var').and.to.contain('(2:6)').and.to.contain('definitions are unchanged');
      });

      it('streams', async () => {
        const { text, seen } = await sdk.stream(codeTool(open()), '(* 6 7)');
        expect([text, shownIn(seen).value]).to.deep.equal(['done', '42']);
      });

      it('hands on that nobody wants it any more', async () => {
        const unwanted = new AbortController();
        const going = sdk.generate(codeTool(open()), '(tool/hang {})', unwanted.signal).then(
          () => 'ended',
          (error: unknown) => Object(error).name,
        );
        const signal = await called.promise;
        unwanted.abort();
        expect(await going).to.be.oneOf(['AbortError', 'ended']);
        expect(await valueOf(open(), '(+ 1 1)')).to.equal(2);
        expect(signal.aborted).to.equal(true);
      });

      it('is refused an input that is none before anything runs', async () => {
        const { seen } = await sdk.generate(
          { ...codeTool(open()), execute: async () => Promise.reject(new Error('it ran')) },
          Object(7),
        );
        expect(JSON.stringify(seen[1]?.prompt)).to.not.contain('it ran');
      });
    });
  }

  it('shows every end, whatever major asks', () => {
    const { toModelOutput } = codeTool(open());
    const refused = { kind: 'refused', code: 'session_busy', retryAfterMs: 1000 } as const;
    const shown = { type: 'error-text', value: 'nothing ran: session_busy' };
    expect(toModelOutput(refused)).to.deep.equal(shown);
    expect(toModelOutput({ toolCallId: '1', input: {}, output: refused })).to.deep.equal(shown);
    expect(toModelOutput(null).type).to.equal('error-text');
    expect(toModelOutput({ kind: 'waiting', approvals: [], resume: async () => refused }).type).to.equal('text');
  });

  it('refuses what is no session, and a name that is none', () => {
    expect(() => codeTool(Object(1))).to.throw(TypeError, 'codeTool: session');
    expect(() => codeTool(open(), { name: '1 x' })).to.throw(TypeError, 'codeTool: options.name');
    expect(() => codeTool(open(), Object({ nam: 'x' }))).to.throw(TypeError, 'has no member nam');
    expect(codeTool(open(), { name: 'run' }).description).to.match(/^run runs one program/);
  });

  describe('takes tools of the SDK', () => {
    const requested: unknown[] = [];
    const toolSets = {
      'of the oldest major': {
        getWeather: oldest.tool({
          description: 'Weather.',
          inputSchema: z.object({ city: z.string(), unit: z.enum(['c', 'f']).default('c') }),
          execute: async ({ city, unit }, { toolCallId, abortSignal }) =>
            `${city} ${unit} ${toolCallId} ${abortSignal?.aborted}`,
        }),
        byJson: oldest.tool({
          description: 'Doubles.',
          inputSchema: oldest.jsonSchema<{ n: number }>({
            type: 'object',
            properties: { n: { type: 'number' } },
            required: ['n'],
          }),
          execute: ({ n }) => 2 * n,
        }),
        delete_all: {
          ...oldest.tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n }),
          needsApproval: ({ n }: { n: number }) => n > 1,
        },
      },
      'of the major between': {
        getWeather: middle.tool({
          description: 'Weather.',
          inputSchema: z.object({ city: z.string(), unit: z.enum(['c', 'f']).default('c') }),
          execute: async ({ city, unit }, { toolCallId, abortSignal }) =>
            `${city} ${unit} ${toolCallId} ${abortSignal?.aborted}`,
        }),
        byJson: middle.tool({
          description: 'Doubles.',
          inputSchema: middle.jsonSchema<{ n: number }>({
            type: 'object',
            properties: { n: { type: 'number' } },
            required: ['n'],
          }),
          execute: ({ n }) => 2 * n,
        }),
        delete_all: middle.tool({
          inputSchema: z.object({ n: z.number() }),
          execute: ({ n }) => n,
          needsApproval: async ({ n }) => {
            requested.push(n);
            return n > 1;
          },
        }),
      },
      'of the newest major': {
        getWeather: newest.tool({
          description: 'Weather.',
          inputSchema: z.object({ city: z.string(), unit: z.enum(['c', 'f']).default('c') }),
          execute: async ({ city, unit }, { toolCallId, abortSignal }) =>
            `${city} ${unit} ${toolCallId} ${abortSignal?.aborted}`,
        }),
        byJson: newest.tool({
          description: 'Doubles.',
          inputSchema: newest.jsonSchema<{ n: number }>({
            type: 'object',
            properties: { n: { type: 'number' } },
            required: ['n'],
          }),
          execute: ({ n }) => 2 * n,
        }),
        delete_all: newest.tool({
          inputSchema: z.object({ n: z.number() }),
          execute: ({ n }) => n,
          needsApproval: async ({ n }) => {
            requested.push(n);
            return n > 1;
          },
        }),
      },
    };
    for (const [name, tools] of Object.entries(toolSets))
      it(name, async () => {
        const own = await supervisor?.openSession({ tools: toolsFromAi(tools) });
        if (own === undefined) throw new Error('no supervisor is open');
        expect(await valueOf(own, '(:value (tool/get-weather {:city "Rome"}))')).to.equal('Rome c capability-1 false');
        expect(await valueOf(own, '(:value (tool/by-json {:n 21}))')).to.equal(42);
        expect(await valueOf(own, '(:reason (tool/by-json {}))')).to.equal('invalid_arguments');
        const both = '(mapv #(or (:reason %) (:value %)) [(tool/delete-all {:n 1}) (tool/delete-all {:n 2})])';
        expect(await valueOf(own, both)).to.deep.equal([1, 'approval_unavailable']);
        const onApproval = async () => ({ decision: 'allow' }) as const;
        const allowed = await supervisor?.openSession({ tools: toolsFromAi(tools) }, { onApproval });
        if (allowed === undefined) throw new Error('no supervisor is open');
        expect(await valueOf(allowed, both)).to.deep.equal([1, 2]);
      });

    it('that tell of their progress, or are made when they are asked for', async () => {
      const own = await supervisor?.openSession({
        tools: toolsFromAi({
          steps: {
            inputSchema: () => newest.zodSchema(z.object({})),
            async *execute() {
              yield 'begun';
              yield 'done';
            },
          },
        }),
      });
      expect(own === undefined ? null : await valueOf(own, '(:value (tool/steps {}))')).to.equal('done');
    });

    it('not those that run elsewhere, or have no schema', () => {
      expect(() => toolsFromAi({ web: { inputSchema: z.object({}) } })).to.throw(TypeError, 'tools.web has no execute');
      expect(() => toolsFromAi({ web: { execute: () => 1 } })).to.throw(TypeError, 'tools.web has no inputSchema');
      expect(() => toolsFromAi({ web: { execute: () => 1, inputSchema: { type: 'object' } } })).to.throw(
        TypeError,
        'no schema of the AI SDK',
      );
      expect(() => toolsFromAi(Object(1))).to.throw(TypeError, 'toolsFromAi: tools');
    });
  });
});
