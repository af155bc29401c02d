import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';

const PROGRAM =
  '(ns main)\n(defn run [input] (:status (tool/llm-request {:messages [{:role "user" :content "good morning"}]})))\n';

describe('threads in which models are asked', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-model-threads-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('end with the last embedding, so that its program does', async () => {
    const server = await startModelServer({ script: [{ times: 'any', action: { answer: { text: 'to you too' } } }] });
    try {
      const write = (name: string, value: unknown): Promise<void> =>
        writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
      await write('svc.json', {
        version: 1,
        workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
        providers: { workflow: [{ name: 'small' }] },
        input: { value: {} },
      });
      await write('svc-host.json', {
        credentials: { key: { literal: 'k' } },
        install: {
          small: {
            source: 'llm',
            installation_revision: 'r1',
            model: `openai-compat:${server.url}/v1|m`,
            credential: 'key',
            structured_output_mode: 'unsupported',
            usage_guarantees: { tokens: false, cost_currency: null },
          },
        },
      });
      await write('main.clj', PROGRAM);
      const { status, stdout, stderr } = await runToEnd({
        program: process.execPath,
        argv: [join(import.meta.dirname, 'supervisor-child.ts'), directory],
        directory,
        environment: {},
      });
      expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '"ok"', stderr: '' });
    } finally {
      await server.close();
    }
  });
});
