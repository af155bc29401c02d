/**
 * A conversation of 40 MB in the viewer: how long until its first part is there, and whether every turn can be reached,
 * by the answers that the page asks for and in the page itself.
 */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { BROWSER, openBrowser } from '../supervisor/test/viewer/browser/chromium.ts';
import { serve, type ServedViewer } from '../supervisor/test/viewer/viewer.ts';
import type { ShownConversation } from '../contract/viewer-answers.ts';
import { median, type Figure } from './figure.ts';
import { answeringModel, svc } from './viewer-evidence.ts';

/** first-day.md §7. */
const FIRST_MS = 2000;
const TURNS = 2000;
const CHARACTERS = 20_000;
const ROUNDS = 3;

const PROGRAM = `(ns main)
(def line "${'a line of a long conversation '.repeat(10)}")
(def text (subs (apply str (repeat ${String(Math.ceil(CHARACTERS / 300) + 1)} line)) 0 ${String(CHARACTERS)}))
(defn run [input]
  (dotimes [n ${String(TURNS)}]
    (let [answer (tool/llm-request {:messages [{:role "user" :content (str n " " text)}]})]
      (when (not= :ok (:status answer)) (throw (ex-info (str answer) {})))))
  1)
`;
const LIMITS = {
  workflow_capability_calls: 4096,
  workflow_capability_calls_per_name: 2048,
  normal_event_count: 4096,
  normal_event_bytes: 7_000_000,
  run_duration_ms: 1_800_000,
  workflow_timeout_ms: 1_800_000,
};

/** Makes it in a directory; gives the id of the run, and the bytes of its inspection. */
async function longConversation(directory: string): Promise<{ readonly id: string; readonly bytes: number }> {
  const model = await answeringModel();
  const files = {
    'main.clj': PROGRAM,
    'svc.json': {
      version: 1,
      workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
      missions: {},
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
          model: `openai-compat:${model.url}|m`,
          credential: 'key',
          structured_output_mode: 'unsupported',
          usage_guarantees: { tokens: false, cost_currency: null },
        },
      },
    },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  try {
    await svc(directory, 'run', 'project.json');
  } finally {
    model.close();
  }
  const [name = ''] = await readdir(join(directory, '.svc/inspection'));
  const { size } = await stat(join(directory, '.svc/inspection', name));
  return { id: name.replace('.svcins', ''), bytes: size };
}

async function part({ url }: ServedViewer, id: string, cursor: string | null): Promise<ShownConversation> {
  const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const answer: ShownConversation = JSON.parse(
    await (await fetch(`${url}api/analysis/runs/${id}/conversation${query}`)).text(),
  );
  return answer;
}

const turnsOf = ({ streams }: ShownConversation): number => streams.reduce((sum, { turns }) => sum + turns.length, 0);

/** Milliseconds until the page shows a turn. */
async function paintMs(viewer: ServedViewer, id: string): Promise<number | null> {
  if (!existsSync(BROWSER)) return null;
  const browser = await openBrowser();
  try {
    const page = await browser.page();
    const started = performance.now();
    await page.goto(`${viewer.url}#/run/${id}/turns`);
    await page.getByText('a line of a long conversation').first().waitFor();
    return performance.now() - started;
  } finally {
    await browser.close();
  }
}

export async function conversationFigures(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-conversation-'));
  try {
    const { id, bytes } = await longConversation(directory);
    const firsts: number[] = [];
    const paints: number[] = [];
    let all = 0;
    let parts = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const viewer = await serve(directory, ['project.json'], { XDG_CACHE_HOME: directory });
      try {
        const started = performance.now();
        let answer = await part(viewer, id, null);
        firsts.push(performance.now() - started);
        let turns = turnsOf(answer);
        for (parts = 1; (answer.next_cursor ?? null) !== null; parts += 1) {
          answer = await part(viewer, id, answer.next_cursor ?? null);
          turns += turnsOf(answer);
        }
        all = performance.now() - started;
        if (turns !== TURNS) throw new Error(`${String(turns)} of ${String(TURNS)} turns can be reached`);
        const paint = await paintMs(viewer, id);
        if (paint !== null) paints.push(paint);
      } finally {
        await viewer.stop();
      }
    }
    const detail = `${String(TURNS)} turns, ${(bytes / 1e6).toFixed(0)} MB of inspection`;
    const figure = (name: string, values: readonly number[], more: string): Figure => ({
      name,
      value: median(values),
      unit: 'ms',
      bound: { kind: 'most', value: FIRST_MS },
      detail: `${detail}; longest of ${String(values.length)} ${Math.max(...values).toFixed(0)} ms${more}`,
    });
    return [
      figure(
        'conversation: first part',
        firsts,
        `; every turn, in ${String(parts)} parts, after ${(all / 1000).toFixed(1)} s`,
      ),
      ...(paints.length === 0 ? [] : [figure('conversation: first turn on the page', paints, '')]),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
