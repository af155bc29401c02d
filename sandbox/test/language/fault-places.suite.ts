/**
 * Where run-time errors are said to be, in isolates of the built program, whose stacks are cut off from everything else
 * (language.md §17).
 */
import { expect } from 'chai';
import { join } from 'node:path';
import type { EvaluateReply, GuestReply, GuestRequest } from '../../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';

const dist = join(import.meta.dirname, '../../../dist');
const HEAP_WORDS = 8_000_000;
const WITHIN = { timeoutMs: 60_000 };

const COMPONENT = `(ns app "Ünïcode before it.")
(defn- helper [x] (inc x))
(defn open [x] (str (helper x)))
(defn each [f xs] (mapv f xs))`;

/** Programs, their innermost form at fault, and that of the component it was raised in. */
const PROGRAMS: readonly (readonly [source: string, form: string, inComponent: string | null])[] = [
  ['(defn f [x]\n  (let [y 1]\n    (map #(+ y (inc %)) [x])))\n(f nil)', '(inc %)', null],
  ['(str "é" (nth [1] 5))', '(nth [1] 5)', null],
  ['(defn f [n] (+ 1 (f n))) [(f 1)]', '(f n)', null],
  ['[1 (throw (ex-info "a" {}))]', '(throw (ex-info "a" {}))', null],
  ['(do 1 (try (nth [] 1) (catch ArithmeticException e 1)))', '(try (nth [] 1) (catch ArithmeticException e 1))', null],
  ['(take 2 (map #(/ 1 %) (iterate dec 1)))', '(/ 1 %)', null],
  ['[(app/open nil)]', '(app/open nil)', '(helper x)'],
  ['[(app/each 5 [1])]', '(app/each 5 [1])', '(mapv f xs)'],
  ['[(app/each (fn [x] (nth x 3)) [[1]])]', '(nth x 3)', null],
];

function cut(source: string, start: unknown, end: unknown): string {
  return Buffer.from(source).subarray(Number(start), Number(end)).toString();
}

/** The form of the component that a fault names. */
function inComponent(details: Readonly<Record<string, unknown>>): string | null {
  const { in_component: place } = details;
  if (typeof place !== 'object' || place === null || !('start_byte' in place) || !('end_byte' in place)) return null;
  return cut(COMPONENT, place.start_byte, place.end_byte);
}

describe('places of run-time errors', () => {
  let sandbox: Sandbox;
  let isolate: Isolate;

  async function ask<R extends GuestRequest>(request: R): Promise<GuestReply<R>> {
    const outcome = await isolate.request(request, WITHIN);
    if (outcome.status !== 'replied') throw new Error(outcome.status);
    return outcome.reply;
  }

  before(async () => {
    sandbox = startSandbox({
      hostScript: join(dist, 'sandbox-host.cjs'),
      guestImage: join(dist, 'guest.snapshot'),
      readableFolders: [dist],
      isolatesPerHost: 2,
    });
    isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'places', heapWords: HEAP_WORDS });
    const compiled = await ask({
      operation: 'compile',
      environment: 'mission',
      components: [{ id: 'app', source: COMPONENT, dependencies: [] }],
    });
    if (compiled.status !== 'compiled') throw new Error(compiled.fault.message);
    await ask({ operation: 'load', code: compiled.code });
  });
  after(async () => {
    await sandbox.close();
  });

  for (const [source, form, componentForm] of PROGRAMS) {
    it(source, async () => {
      const reply: EvaluateReply = await ask({
        operation: 'evaluate',
        environment: 'mission',
        source,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
      });
      if (reply.outcome !== 'evaluation_error') throw new Error(reply.outcome);
      const { span, details } = reply.fault;
      expect(cut(source, span?.start_byte, span?.end_byte)).to.equal(form);
      expect(inComponent(details)).to.equal(componentForm);
      const before = source.slice(0, source.indexOf(form));
      expect(details).to.include({ line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') });
    });
  }
});
