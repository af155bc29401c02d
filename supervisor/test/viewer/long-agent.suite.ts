/** The viewer shows all turns of a long run of an agent (world.md §3.9). */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { svc } from '../../../bench/viewer-evidence.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import type { ShownConversation } from '../../../contract/viewer-answers.ts';
import { scriptOf } from '../agent/agent-run.ts';
import { serve, type ServedViewer } from './viewer.ts';

const TURNS = 200;
const PROGRAM_CHARACTERS = 400;
const ANSWER_BYTES = 1_000_000;
const LIMITS = {
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  normal_event_count: 4096,
  subordinate_evaluations: TURNS,
  workflow_capability_calls: TURNS,
  workflow_capability_calls_per_name: TURNS,
};
const programs = Array.from({ length: TURNS }, (_, n) =>
  n === TURNS - 1 ? '(return :done)' : `(def step ${String(n)}) [step] ; ${'y'.repeat(PROGRAM_CHARACTERS)}`,
);

async function runOnce(directory: string): Promise<string> {
  const server = await startModelServer({ script: scriptOf(programs) });
  const files = {
    'main.clj': `(ns main)\n(defn run [_] (agent.core/run-value "Work." {"max_turns" ${String(TURNS)}}))\n`,
    'svc.json': {
      version: 1,
      workflow: {
        entry: 'main/run',
        components: [
          ...['agent.core', 'kernel', 'result'].map((library) => ({ library })),
          { id: 'main', path: 'main.clj', dependencies: ['agent.core'] },
        ],
      },
      missions: { default: {} },
      providers: { workflow: [{ name: 'small' }] },
      limits: LIMITS,
      input: { value: {} },
    },
    'project.json': {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true },
      viewer: { private: true },
    },
    'host.json': {
      credentials: { key: { literal: 'k' } },
      limits: LIMITS,
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
    },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  try {
    await svc(directory, 'run', 'project.json');
  } finally {
    await server.close();
  }
  return readdirSync(join(directory, '.svc/traces')).join().replace('.jsonl', '');
}

describe(`the viewer of an agent's run of ${String(TURNS)} turns (world.md §3.9)`, () => {
  let directory: string;
  let run: string;
  let viewer: ServedViewer | undefined;
  before(async () => {
    directory = makeWorkDirectory();
    run = await runOnce(directory);
    viewer = await serve(directory, ['project.json', '--port', '0']);
  });
  after(async () => {
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  it('has every turn once and in order, with what the model wrote and what came of it', async () => {
    const pages: ShownConversation[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `?cursor=${cursor}`;
      const response = await fetch(new URL(`/api/analysis/runs/${run}/conversation${query}`, viewer?.url));
      const text = await response.text();
      expect([response.status, Buffer.byteLength(text) <= ANSWER_BYTES]).to.deep.equal([200, true]);
      const page: ShownConversation = JSON.parse(text);
      pages.push(page);
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    expect(pages.flatMap(({ streams }) => streams.map(({ stream_id: id }) => id))).to.deep.equal(
      pages.map(() => 'stream-1'),
    );
    const turns = pages.flatMap(({ streams }) => streams.flatMap((stream) => stream.turns));
    expect(turns.map(({ turn }) => turn)).to.deep.equal(programs.map((_, nth) => nth + 1));
    const written = turns.map(({ assistant }) => Object(assistant?.tool_calls?.[0]?.args).program);
    expect(written).to.deep.equal(programs);
    expect(turns.every(({ outcome, generated }) => outcome === 'ok' && generated.length === 1)).to.equal(true);
    // What each program came to is in the messages of the next turn.
    for (const [nth, { messages_added: added }] of turns.entries())
      if (nth > 0) expect(JSON.stringify(added)).to.include(`[${String(nth - 1)}]`);
  });
});
