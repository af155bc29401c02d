/**
 * The evidence of a large project: 500 runs, one of them with some 4,000 events and 1,000 turns of one conversation.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const RUN_TURNS = 1000;
export const RUNS = 500;
/** Each is four events, and a turn is two. */
const EVALUATIONS = 520;
const program = join(import.meta.dirname, '../bin/svc');

const LIMITS = {
  workflow_capability_calls: 4096,
  workflow_capability_calls_per_name: 2048,
  subordinate_evaluations: 2048,
  subordinate_source_checks: 2048,
  normal_event_count: 4096,
  normal_event_bytes: 7_000_000,
  run_duration_ms: 1_800_000,
  workflow_timeout_ms: 1_800_000,
};

const PROGRAM = `(ns main)
(defn turn [messages n]
  (let [answer (tool/llm-request {:messages messages})]
    (when (not= :ok (:status answer)) (throw (ex-info (str answer) {})))
    (when (< n ${EVALUATIONS}) (tool/kernel-eval {"mission" "room" "kind" "source" "source" (str "(return " n ")")}))
    (conj messages {:role "assistant" :content "ok"} {:role "user" :content (str n)})))
(defn run [input]
  (when (get input "large")
    (loop [messages [{:role "user" :content "begin"}] n 0] (when (< n ${RUN_TURNS}) (recur (turn messages n) (inc n)))))
  1)
`;

/** Ends when the program does; throws for one that fails. */
export async function svc(directory: string, ...argv: readonly string[]): Promise<void> {
  const child = spawn(program, argv, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`svc ${argv.join(' ')}: ${String(status)} ${said}`);
}

/**
 * Makes it in a directory, with the built program and a model of its own; the project's document is `project.json`.
 * Gives the id of the large run.
 */
export async function largeProject(directory: string): Promise<string> {
  const model = await answeringModel();
  const write = async (name: string, value: unknown): Promise<void> =>
    writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
  await write('main.clj', PROGRAM);
  const application = (large: boolean) => ({
    version: 1,
    workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
    missions: { room: {} },
    providers: { workflow: [{ name: 'small' }] },
    limits: LIMITS,
    input: { value: { large } },
  });
  const project = (path: string) => ({
    kind: 'svc-project',
    version: 1,
    application: { path },
    host: { path: 'host.json' },
    artifacts: { root: '.svc', trace: true, inspection: true },
    viewer: { private: true },
  });
  await write('large.json', application(true));
  await write('small.json', application(false));
  await write('project.json', project('large.json'));
  await write('small-project.json', project('small.json'));
  await write('host.json', {
    credentials: { key: { literal: 'k' } },
    limits: LIMITS,
    install: {
      small: {
        source: 'llm',
        installation_revision: 'r1',
        model: `openai-compat:${model.url}|m`,
        credential: 'key',
        structured_output_mode: 'unsupported',
        usage_guarantees: { tokens: false, cost_currency: null },
      },
    },
  });
  try {
    await svc(directory, 'run', 'project.json');
    const large = await onlyRun(directory, []);
    await svc(directory, 'run', 'small-project.json');
    await copies(directory, await onlyRun(directory, [large]), RUNS - 2);
    return large;
  } finally {
    model.close();
  }
}

async function onlyRun(directory: string, known: readonly string[]): Promise<string> {
  const names = (await readdir(join(directory, '.svc/traces')))
    .map((name) => name.replace('.jsonl', ''))
    .filter((name) => !known.includes(name));
  const [name] = names;
  if (name === undefined || names.length !== 1) throw new Error('one run leaves one trace');
  return name;
}

async function copies(directory: string, id: string, most: number): Promise<void> {
  for (let n = 0; n < most; n += 1)
    await copyTrace(directory, id, `${id.slice(0, -4)}${n.toString().padStart(4, '0')}`);
}

/** The trace of a run under another name, which stands in each of its lines. */
export async function copyTrace(directory: string, id: string, other: string): Promise<void> {
  const folder = join(directory, '.svc/traces');
  await mkdir(folder, { recursive: true });
  const text = await readFile(join(folder, `${id}.jsonl`), 'utf8');
  await writeFile(join(folder, `${other}.jsonl`), text.replaceAll(id, other), { mode: 0o600 });
}

/** A model that answers `ok` to everything. */
export async function answeringModel(): Promise<{ readonly url: string; readonly close: () => void }> {
  const answer = JSON.stringify({
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  });
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => void response.setHeader('content-type', 'application/json').end(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = Object(server.address());
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
