/**
 * What the loop of an agent costs beside what it waits for: six turns against the same requests and evaluations made
 * one by one by a workflow without the loop; and several loops at once by `pmap`, whose model takes 200 ms for each
 * answer.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSupervisor } from '../supervisor/api/supervisor.ts';
import { against, median, type Figure } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const TURNS = 6;
const ROUNDS = 15;
const WARM = 3;
const ANSWER_MS = 200;
/** Missions of an application, at most. */
const ROOMS = 16;
const LIMITS = {
  run_duration_ms: 300_000,
  workflow_timeout_ms: 300_000,
  parallel_timeout_ms: 300_000,
  evaluation_admission_timeout_ms: 60_000,
  workflow_capability_calls: 4096,
  workflow_capability_calls_per_name: 2048,
  subordinate_evaluations: 1024,
};
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** What the model writes in its turns; the last one returns. */
const PROGRAMS = [
  '(def rows (mapv (fn [n] {:id n :paid (even? n)}) (range 200)))',
  '(count rows)',
  '(def paid (filterv :paid rows))',
  '(take 3 paid)',
  '(def total (reduce + (map :id paid)))',
  '(return total)',
];

/**
 * A model that is in its n-th turn when n tool messages came with the request. `received`: when requests came and were
 * answered, and their bodies.
 */
async function startModel(answerMs: number): Promise<{
  readonly url: string;
  readonly received: { readonly body: string; readonly at: number }[];
  readonly close: () => void;
}> {
  const requested: { body: string; at: number }[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        body += piece;
      })
      .on('end', () => {
        requested.push({ body, at: performance.now() });
        const turn = body.split('"role":"tool"').length - 1;
        const call = {
          id: `call_${String(turn)}`,
          type: 'function',
          function: { name: 'run_svc_lisp', arguments: JSON.stringify({ program: PROGRAMS[turn] }) },
        };
        const answer = {
          id: 'a',
          object: 'chat.completion',
          created: 1,
          model: 'm',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: null, tool_calls: [call] },
              finish_reason: 'tool_calls',
            },
          ],
          usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
        };
        setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)), answerMs);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = Object(server.address());
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    received: requested,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Run = (forms: string, body: string, input?: unknown) => Promise<unknown>;

async function withRuns<T>(url: string, use: (run: Run) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-agents-'));
  const supervisor = await createSupervisor({ programDirectory: dist });
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
  const selected = ['agent.core', 'kernel', 'llm'];
  try {
    return await use(async (forms, body, input = {}) => {
      await write('svc.json', {
        version: 1,
        workflow: {
          entry: 'main/run',
          components: [
            ...selected.map((library) => ({ library })),
            { id: 'main', path: 'main.clj', dependencies: selected },
          ],
        },
        missions: Object.fromEntries(
          ['default', ...range(ROOMS - 1).map((n) => `room${String(n)}`)].map((name) => [name, {}]),
        ),
        providers: { workflow: [{ name: 'small' }] },
        limits: LIMITS,
        input: { value: input },
      });
      await write('svc-host.json', {
        credentials: { key: { literal: 'k' } },
        install: {
          small: {
            source: 'llm',
            installation_revision: 'r1',
            model: `openai-compat:${url}|m`,
            credential: 'key',
            structured_output_mode: 'unsupported',
            usage_guarantees: { tokens: false, cost_currency: null },
          },
        },
      });
      await write('main.clj', `(ns main)\n${forms}\n(defn run [input] ${body})\n`);
      const application = await supervisor.prepare({
        kind: 'directory',
        manifest: 'svc.json',
        host: 'svc-host.json',
        workingDirectory: directory,
      });
      const end = await supervisor.run(application).result;
      if (end.kind !== 'finished' || end.exitStatus !== 0) throw new Error(JSON.stringify(end).slice(0, 2000));
      return JSON.parse(end.valueText ?? 'null');
    });
  } finally {
    await supervisor.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const LOOP = `(agent.core/run-value "Do it." {"max_turns" ${String(TURNS)}})`;

/** The requests of a loop as a workflow can make them: those that the server saw, in the neutral form. */
function neutral(body: string): unknown {
  const {
    messages,
    tools,
  }: { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly tools: unknown } = JSON.parse(body);
  return { messages, tools };
}

const FLOOR_FORMS = `(defn step [{:keys [request program]}]
  (let [answer (llm/request request)
        done (kernel/eval-source "default" program)]
    (if (contains? answer :status) (fail answer) (:outcome done))))`;

/** From the first request's arrival to the end of the last answer's evaluation, told by a request that follows. */
async function overhead(): Promise<readonly Figure[]> {
  const model = await startModel(0);
  const figures = await withRuns(model.url, async (run) => {
    const marker = '(llm/request {:messages [{:role "user" :content "the end"}]})';
    const spanOf = async (forms: string, body: string, input?: unknown): Promise<number> => {
      model.received.length = 0;
      await run(forms, `(do ${body} ${marker} 1)`, input);
      if (model.received.length !== TURNS + 1) throw new Error(`${String(model.received.length)} requests`);
      return (model.received.at(-1)?.at ?? NaN) - (model.received[0]?.at ?? NaN);
    };
    await spanOf('', LOOP);
    const steps = model.received
      .slice(0, TURNS)
      .map(({ body }, turn) => ({ request: neutral(body), program: PROGRAMS[turn] }));
    const [loop, floor]: [number[], number[]] = [[], []];
    for (const round of range(ROUNDS + WARM)) {
      const spans = [
        await spanOf('', LOOP),
        await spanOf(FLOOR_FORMS, '(mapv step (:steps input))', { steps }),
      ] as const;
      if (round < WARM) continue;
      loop.push(spans[0]);
      floor.push(spans[1]);
    }
    return [
      against(
        { name: 'the same requests and evaluations one by one', value: median(floor) },
        {
          name: `an agent's ${String(TURNS)} turns with instant answers`,
          value: median(loop),
          unit: 'ms',
          most: 3,
          detail: `medians of ${String(ROUNDS)} in turn`,
        },
      ),
    ];
  });
  model.close();
  return figures;
}

/** From the first request to the last answer of so many loops. */
async function together(): Promise<readonly Figure[]> {
  const model = await startModel(ANSWER_MS);
  const figures = await withRuns(model.url, async (run) => {
    const wall = async (count: number): Promise<number> => {
      const walls: number[] = [];
      for (const round of range(4)) {
        model.received.length = 0;
        const values = await run(
          '',
          `(vec (pmap (fn [n] (agent.core/run-value "Do it." {"mission" (if (= 0 (mod n ${String(ROOMS)})) "default" (str "room" (dec (mod n ${String(ROOMS)})))) "max_turns" ${String(TURNS)}})) (range ${String(count)})))`,
        );
        if (
          model.received.length !== TURNS * count ||
          JSON.stringify(values) !== JSON.stringify(range(count).map(() => 9900))
        )
          throw new Error('a loop has lost something');
        if (round > 0) walls.push((model.received.at(-1)?.at ?? NaN) - (model.received[0]?.at ?? NaN) + ANSWER_MS);
      }
      return median(walls);
    };
    const one = { name: 'one loop', value: await wall(1) };
    const detail = `${String(TURNS)} turns of ${String(ANSWER_MS)} ms`;
    return [
      against(one, { name: '4 agent loops at once by pmap', value: await wall(4), unit: 'ms', most: 1.5, detail }),
      against(one, { name: '32 agent loops at once by pmap', value: await wall(32), unit: 'ms', most: null, detail }),
    ];
  });
  model.close();
  return figures;
}

/** What the loop adds, and what several gain by coming together. */
export async function agentFigures(): Promise<Figure[]> {
  return [...(await overhead()), ...(await together())];
}
