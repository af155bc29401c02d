import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svc } from '../../../bench/viewer-evidence.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import { scriptOf } from '../agent/agent-run.ts';

/** Of one loop of an agent (world.md §3.9). */
export const TURNS = 200;
const PROGRAM_CHARACTERS = 400;
const LIMITS = {
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  normal_event_count: 4096,
  subordinate_evaluations: TURNS,
  workflow_capability_calls: TURNS,
  workflow_capability_calls_per_name: TURNS,
};
/** What its model writes, turn by turn. */
export const PROGRAMS = Array.from({ length: TURNS }, (_, n) =>
  n === TURNS - 1 ? '(return :done)' : `(def step ${String(n)}) [step] ; ${'y'.repeat(PROGRAM_CHARACTERS)}`,
);

/** A run of so many turns, in a new project of this directory, and its reference. */
export async function runLongAgent(directory: string): Promise<string> {
  const server = await startModelServer({ script: scriptOf(PROGRAMS) });
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
