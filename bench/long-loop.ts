/**
 * What the loop of an agent costs in processor time over 200 turns, beside the requests that it makes: the whole of
 * `svc run`, with all its processes, against a workflow that makes the same requests one by one, and against one that
 * evaluates the programs as well. The model answers at once, from this process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../conformance/servers/llm/server.ts';
import { against, median, type Figure } from './figure.ts';

const program = join(import.meta.dirname, '../bin/svc');
const TURNS = 200;
const ROUNDS = 2;
const LIMITS = {
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  normal_event_count: 4096,
  subordinate_evaluations: TURNS,
  workflow_capability_calls: 2 * TURNS,
  workflow_capability_calls_per_name: TURNS,
};
const LIBRARIES = ['agent.core', 'kernel', 'llm'];
const PROGRAMS = Array.from({ length: TURNS }, (_, turn) =>
  turn === TURNS - 1
    ? '(return total)'
    : `(def total (+ ${turn === 0 ? '0' : 'total'} (count (range ${String(turn)}))))`,
);

/** Each form of the work: the loop; its requests; its requests and its evaluations. */
const BODIES = {
  loop: `(agent.core/run-value "Do it." {"max_turns" ${String(TURNS)}})`,
  requests: '(dotimes [turn (count (:programs input))] (llm/request! (request-of input turn)))',
  both: `(dotimes [turn (count (:programs input))]
    (llm/request! (request-of input turn))
    (kernel/eval-source "default" (nth (:programs input) turn)))`,
} as const;
/** System text and task, then two messages for each turn: the same in every request that has them. */
const REQUEST = `(defn request-of [{:keys [conversation]} turn]
  (update conversation :messages (fn [messages] (vec (take (* 2 (inc turn)) messages)))))`;

/** Seconds of user and system time: \`times\` tells those of its shell, then those of what it waited for. */
function childSeconds(text: string): number {
  const [, children = ''] = text.trim().split('\n').slice(-2);
  return Array.from(
    children.matchAll(/(\d+)m([\d.]+)s/g),
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  ).reduce((sum, each) => sum + each, 0);
}

interface Played {
  readonly seconds: number;
  /** Bodies of the requests. */
  readonly requests: readonly string[];
}

async function play(body: string, input: unknown): Promise<Played> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-loop-'));
  const script = PROGRAMS.map((source) => ({
    action: { answer: { toolCalls: [{ name: 'run_svc_lisp', args: { program: source } }] } },
  }));
  const server = await startModelServer({ script });
  const files = {
    'main.clj': `(ns main)\n${REQUEST}\n(defn run [input]\n  ${body})\n`,
    'svc.json': {
      version: 1,
      workflow: {
        entry: 'main/run',
        components: [
          ...LIBRARIES.map((library) => ({ library })),
          { id: 'main', path: 'main.clj', dependencies: LIBRARIES },
        ],
      },
      missions: { default: {} },
      providers: { workflow: [{ name: 'small' }] },
      limits: LIMITS,
      input: { value: input },
    },
    'svc-host.json': {
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
    },
  };
  try {
    for (const [name, content] of Object.entries(files))
      await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
    const command = '"$0" run svc.json --host-config svc-host.json >/dev/null 2>error.txt || cat error.txt; times';
    const child = spawn('/bin/sh', ['-c', command, program], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child, 'close');
    const requested = server.requests.map((request) => request.body);
    if (requested.length !== TURNS) throw new Error(`${String(requested.length)} requests: ${said}`);
    return { seconds: childSeconds(said), requests: requested };
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the loop adds to its requests, and to them and its evaluations. */
export async function longLoopFigures(): Promise<Figure[]> {
  const { requests } = await play(BODIES.loop, {});
  const { messages, tools }: { messages: readonly { role: string }[]; tools: unknown } = JSON.parse(
    requests.at(-1) ?? '{}',
  );
  const input = { conversation: { messages, tools }, programs: PROGRAMS };
  const times = { loop: [0], requests: [0], both: [0] };
  for (const kind of ['loop', 'requests', 'both'] as const) times[kind].length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['loop', 'requests', 'both'] as const) {
      const played = await play(BODIES[kind], kind === 'loop' ? {} : input);
      if (played.requests.some((body, turn) => body !== requests[turn])) throw new Error(`${kind} asks something else`);
      times[kind].push(1000 * played.seconds);
    }
  }
  const loop = {
    value: median(times.loop),
    unit: 'ms',
    detail: `processor time, medians of ${String(ROUNDS)} runs in turn`,
  };
  const name = `an agent's ${String(TURNS)} turns with instant answers`;
  return [
    against({ name: 'the same requests one by one', value: median(times.requests) }, { ...loop, name, most: 1.5 }),
    against(
      { name: 'the same requests and evaluations one by one', value: median(times.both) },
      { ...loop, name, most: 1.5 },
    ),
  ];
}
