/**
 * The language server: a component of 500 lines is typed into as a person does, through the real server over its
 * pipes; how long after each key its diagnostics are there, and what the server holds in memory.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LanguageClient, placeOf } from '../conformance/editor/language-client.ts';
import { type Figure, quantile } from './figure.ts';

const program = join(import.meta.dirname, '..', 'bin/svc');
/** Milliseconds and megabytes: what a person notices, on any machine. */
const MOST = { key: 100, residentMb: 150 } as const;
const LINES = 500;
/** Keys before which nothing is measured: the engine compiles what runs often. */
const WARM_KEYS = 30;
/** Typed at three places of the text, key by key; half of the states in between cannot be read. */
const TYPED = [
  '\n        extra (filter (fn [line] (> (get line :cents) 100)) lines)',
  '\n        label (str/upper-case (or (get order :label) "none"))',
  '\n        sizes {:small (count lines) :large (* 2 (count lines)) :of "each"}',
];

/** A function of ten lines, as an application has them. */
function definition(index: number): string {
  const name = `price-${String(index)}`;
  return `(defn ${name}
  "The price of an order of kind ${String(index)}, in cents."
  [order]
  (let [lines (get order :lines [])
        cents (reduce + 0 (map (fn [line] (* (get line :count 1) (get line :cents 0))) lines))
        parts (->> lines (filter :fragile) (mapv #(assoc % :packed true)))]
    (cond (empty? lines) {:total 0 :note "nothing"}
          (> cents ${String(1000 + index)}) {:total (- cents (quot cents 10)) :note (str/join ", " (map :name parts))}
          :else {:total cents :note ${index === 0 ? '""' : `(get (price-${String(index - 1)} order) :note)`}})))
`;
}

const ORDERS = `(ns orders "Orders." {:visibility :prompt})

(defn kind
  "The kind of an order."
  [order]
  (get order :kind 0))
`;

function component(): string {
  const head = '(ns main\n  "Prices."\n  (:require [orders :as o]))\n';
  const tail = '\n(defn run [input] (assoc (price-1 input) :kind (o/kind input)))\n';
  const most = Math.floor((LINES - 5) / 10);
  const body = Array.from({ length: most }, (_, index) => `\n${definition(index)}`).join('');
  const rest = LINES - `${head}${body}${tail}`.split('\n').length + 1;
  return `${head}${body}${';; Nothing more.\n'.repeat(Math.max(0, rest))}${tail}`;
}

/** Milliseconds of processor time that a process has had: on a busy machine, what a key costs. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

export async function editorFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    const text = component();
    const listed = [
      { id: 'orders', path: 'orders.clj' },
      { id: 'main', path: 'main.clj', dependencies: ['orders'] },
    ];
    const manifest = { version: 1, workflow: { components: listed, entry: 'main/run' }, input: { value: {} } };
    writeFileSync(join(folder, 'svc.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'main.clj'), text);
    writeFileSync(join(folder, 'orders.clj'), ORDERS);
    return await typed(folder, text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function typed(folder: string, text: string): Promise<Figure[]> {
  const started = performance.now();
  const { client } = await LanguageClient.start(folder, {}, program);
  const pid = client.child.pid ?? 0;
  try {
    const ready = performance.now() - started;
    await client.open('main.clj', text);
    const found = await client.nextDiagnosticsOf('main.clj');
    if (found.length > 0) throw new Error(`the component is wrong: ${JSON.stringify(found)}`);
    const opened = performance.now() - started;
    const before = processorMs(pid);
    const { checks, completions, keys } = await pressKeys(client, text);
    const spent = (processorMs(pid) - before) / keys;
    const resident = residentMb(pid);
    const detail = (samples: readonly number[]): string =>
      `${String(samples.length)} keys in ${String(text.split('\n').length - 1)} lines, a completion asked with each`;
    return [
      { name: 'start to initialized', value: ready, unit: 'ms', bound: null, detail: '' },
      { name: 'start to the first diagnostics', value: opened, unit: 'ms', bound: null, detail: '' },
      ...([0.5, 0.9] as const).map((share) => ({
        name: `diagnostics after a key, p${String(share * 100)}`,
        value: quantile(checks, share),
        unit: 'ms',
        bound: { kind: 'most', value: MOST.key } as const,
        detail: detail(checks),
      })),
      {
        name: 'completions after a key, p90',
        value: quantile(completions, 0.9),
        unit: 'ms',
        bound: { kind: 'most', value: MOST.key },
        detail: '',
      },
      { name: 'processor time of a key', value: spent, unit: 'ms', bound: null, detail: 'all threads of the server' },
      {
        name: 'memory of the server',
        value: resident,
        unit: 'MB',
        bound: { kind: 'most', value: MOST.residentMb },
        detail: 'resident, after all keys',
      },
    ];
  } finally {
    await client.end();
  }
}

async function pressKeys(
  client: LanguageClient,
  source: string,
): Promise<{ readonly checks: readonly number[]; readonly completions: readonly number[]; readonly keys: number }> {
  const checks: number[] = [];
  const completions: number[] = [];
  let text = source;
  let keys = 0;
  for (const [index, line] of TYPED.entries()) {
    const anchor = 'parts (->> lines (filter :fragile) (mapv #(assoc % :packed true))';
    let offset = text.indexOf(anchor, (text.length * (index + 1)) / 5) + anchor.length;
    for (const key of line) {
      const at = placeOf(text, text.slice(offset), offset);
      text = text.slice(0, offset) + key + text.slice(offset);
      offset += 1;
      const pressed = performance.now();
      await client.change('main.clj', key, { start: at, end: at });
      const next = placeOf(text, text.slice(offset), offset);
      const [diagnosed, completed] = await Promise.all([
        client.nextDiagnosticsOf('main.clj').then(() => performance.now() - pressed),
        client.ask('completion', 'main.clj', next).then(() => performance.now() - pressed),
      ]);
      keys += 1;
      if (keys <= WARM_KEYS) continue;
      checks.push(diagnosed);
      completions.push(completed);
    }
  }
  return { checks, completions, keys };
}
