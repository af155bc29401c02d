/**
 * svc-lisp against plain JavaScript in the same kind of isolate: the product's snapshot, the product's guest. Both
 * sides are timed from outside through one synchronous call each, after the same number of warm-up calls; the cost of
 * an evaluation that does nothing is taken off the lisp side.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import type { GuestReplies, GuestRequest } from '../contract/sandbox-protocol.ts';
import { enterGuest } from '../sandbox/host/enter-guest.ts';
import { decodeGuestImage, loadSnapshotImage } from '../sandbox/host/snapshot.ts';
import { V8_FLAGS } from '../sandbox/host/v8-flags.ts';
import { type Figure, median } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const rounds = 30;

interface Contest {
  readonly name: string;
  readonly lisp: string;
  readonly javascript: string;
  readonly most: number | null;
}

const contests: readonly Contest[] = [
  {
    name: 'fib(25)',
    lisp: '(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (defn run [] (fib 25))',
    javascript: 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } function run() { return fib(25); }',
    most: 2,
  },
  {
    name: 'loop/recur to 1e6',
    lisp: '(defn run [] (loop [i 0 sum 0] (if (< i 1000000) (recur (+ i 1) (+ sum i)) sum)))',
    javascript: 'function run() { let i = 0, sum = 0; while (i < 1000000) { sum += i; i += 1; } return sum; }',
    most: 3,
  },
  {
    name: 'nested data update, 20,000 times',
    lisp: '(defn run [] (loop [i 0 state {:a {:b {:c 0}}}] (if (< i 20000) (recur (+ i 1) (update-in state [:a :b :c] inc)) (get-in state [:a :b :c]))))',
    javascript:
      'function run() { let state = { a: { b: { c: 0 } } }; for (let i = 0; i < 20000; i += 1) state = { ...state, a: { ...state.a, b: { ...state.a.b, c: state.a.b.c + 1 } } }; return state.a.b.c; }',
    most: null,
  },
  {
    name: 'string building, 50,000 parts',
    lisp: '(defn run [] (count (apply str (map (fn [i] (str "item " i ", ")) (range 50000)))))',
    javascript:
      'function run() { return Array.from({ length: 50000 }, (_, i) => "item " + i + ", ").join("").length; }',
    most: null,
  },
];

type Ask = <R extends GuestRequest>(request: R) => GuestReplies[R['operation']];

// As in a host.
setFlagsFromString(V8_FLAGS);
const image = loadSnapshotImage(await decodeGuestImage(readFileSync(join(dist, 'guest.snapshot')), 'mission'));

async function lispIsolate(): Promise<{ ask: Ask; dispose: () => void }> {
  const isolate = new ivm.Isolate({ snapshot: image.snapshot, memoryLimit: 256 });
  const entrance = enterGuest(isolate, new ivm.Reference(() => ''), image.coldText);
  return {
    ask: (request) => JSON.parse(entrance.applySync(undefined, [JSON.stringify(request)])),
    dispose: () => {
      isolate.dispose();
    },
  };
}

function javascriptMs(source: string): { ms: number; answer: string } {
  const isolate = new ivm.Isolate({ snapshot: image.snapshot, memoryLimit: 256 });
  const context = isolate.createContextSync();
  const run = context.evalSync(`${source}; () => String(run())`, { reference: true });
  const samples: number[] = [];
  let answer = '';
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const returned: unknown = run.applySync(undefined, []);
    answer = typeof returned === 'string' ? returned : '';
    samples.push(performance.now() - started);
  }
  isolate.dispose();
  return { ms: median(samples.slice(rounds / 3)), answer };
}

async function lispMs(source: string): Promise<{ ms: number; answer: string }> {
  const { ask, dispose } = await lispIsolate();
  const compiled = ask({
    operation: 'compile',
    environment: 'workflow',
    components: [{ id: 'contest', source: `(ns contest) (defn nothing [] 0) ${source}`, dependencies: [] }],
  });
  if (compiled.status !== 'compiled') throw new Error(compiled.fault.message);
  ask({ operation: 'load', code: compiled.code });
  const evaluate = (program: string): string => {
    const reply = ask({
      operation: 'evaluate',
      environment: 'workflow',
      source: program,
      data: {},
      tools: [],
      loop_iterations: null,
      projection: 'json',
    });
    if (reply.outcome !== 'continued') throw new Error(JSON.stringify(reply));
    return reply.value ?? '';
  };
  const time = (program: string): { ms: number; answer: string } => {
    const samples: number[] = [];
    let answer = '';
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      answer = evaluate(program);
      samples.push(performance.now() - started);
    }
    return { ms: median(samples.slice(rounds / 3)), answer };
  };
  const idle = time('(contest/nothing)');
  const busy = time('(contest/run)');
  dispose();
  return { ms: busy.ms - idle.ms, answer: busy.answer };
}

export async function languageFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const contest of contests) {
    const lisp = await lispMs(contest.lisp);
    const javascript = javascriptMs(contest.javascript);
    if (lisp.answer !== javascript.answer)
      throw new Error(`${contest.name}: ${lisp.answer} is not ${javascript.answer}`);
    figures.push({
      name: `${contest.name}, svc-lisp / JavaScript`,
      value: lisp.ms / javascript.ms,
      unit: 'x',
      bound: contest.most === null ? null : { kind: 'most', value: contest.most },
      detail: `${lisp.ms.toFixed(2)} ms against ${javascript.ms.toFixed(2)} ms`,
    });
  }
  return figures;
}
