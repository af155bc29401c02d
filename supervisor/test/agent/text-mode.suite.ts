import { createServer } from 'node:net';
import { expect } from 'chai';
import { describeWhere } from '../../../conformance/left-out.ts';
import { OLLAMA_CHAT } from '../../../conformance/servers/llm/vendors/ollama.ts';
import { useAgents } from './agent-run.ts';

/** Where Ollama is asked. */
const PORT = 11434;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

const block = (program: string): { readonly text: string } => ({ text: `So:\n\`\`\`clojure\n${program}\n\`\`\`` });
const TURNS = [block('(def a 20)'), block('(def b (+ a 1))'), block('(return (* 2 b))')];
/** As a project of `svc init` has it. */
const LIMITS = { llm_request_output_tokens: 16_384 };

describeWhere(
  { isMet: await isFree(PORT), what: 'a free port 11434: something like Ollama listens there', isOptional: true },
  'an agent whose model Ollama runs without tools (world.md §1.1, §3.6)',
  () => {
    const agents = useAgents();
    const models: readonly (readonly [model: string, mode: string | null])[] = [
      ['gemma3', 'text'],
      ['gemma3', null],
      ['deepseek-r1:14b', null],
    ];
    for (const [model, mode] of models)
      it(`${model}, mode ${mode ?? 'of itself'}: finishes in three turns, whose thoughts go back`, async () => {
        const run = await agents.playVendor(
          {
            agent: mode === null ? {} : { mode },
            install: { model: `ollama:${model}` },
            limits: LIMITS,
          },
          OLLAMA_CHAT,
          TURNS,
          PORT,
        );
        expect(run.value).to.deep.equal({ ok: true, value: 42 });
        const refused = run.vendor.exchanges.filter(({ refusal }) => refusal !== null);
        expect(refused.map(({ refusal }) => JSON.stringify(refusal?.body))).to.deep.equal(
          mode === null ? [`{"error":"registry.ollama.ai/library/${model} does not support tools"}`] : [],
        );
        expect(run.vendor.answered).to.have.length(3);
        const last = run.vendor.exchanges.at(-1)?.body ?? '';
        expect(last).to.include('Thought 0').and.include('Thought 1').and.not.include('"tools"');
        expect(JSON.parse(last))
          .to.have.nested.property('options.num_ctx')
          .that.is.at.least(LIMITS.llm_request_output_tokens);
      });

    it('fails with the code for it where mode is tools', async () => {
      const run = await agents.playVendor(
        { agent: { mode: 'tools' }, install: { model: 'ollama:gemma3' }, limits: LIMITS },
        OLLAMA_CHAT,
        TURNS,
        PORT,
      );
      expect(run.code).to.equal('llm_tool_calling_unsupported');
    });
  },
);
