import type { EnvironmentKind, EvaluateRequest, GuestRequest } from '../contract/sandbox-protocol.ts';
import { compileBundle } from '../sandbox/language/components/compile-bundle.ts';
import type { GuestBundleOptions } from './guest-bundle.ts';

/**
 * What nearly every program of each kind of environment does. What these requests reach is part of every isolate's heap,
 * compiled; all else is read when a program first needs it. Each further form here makes every isolate start a little
 * later, and every program that uses it answer much sooner (bench/README.md).
 */
const PROGRAMS: readonly string[] = [
  '(+ 1 2)',
  '(warm/greet data/input)',
  `(defn total [items] (reduce + 0 (map :amount items)))
   (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
     (if (> (total items) 2) (return {"total" (total items) "names" (str a "," b)}) (fail {:reason :none})))`,
];

/** A workflow is a call of its entry: it needs neither reader nor compiler (sandbox/language/export-call.ts). */
const CALLS: readonly string[] = ['(warm/greet data/input)', '(warm/total data/input)', '(warm/give-up data/input)'];

const COMPONENT = `(ns warm "A component.")
(defn greet "Greets." [input] {"greeting" (str "hello " (get input "name"))})
(defn- sum [items] (reduce + 0 (map :amount items)))
(defn total [input]
  (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
    (if (> (sum items) 2) (return {"total" (sum items) "names" (str a "," b)}) (fail {:reason :none}))))
(defn give-up [input] (fail {:reason :none}))`;

function evaluation(environment: EnvironmentKind, source: string): EvaluateRequest {
  return { operation: 'evaluate', environment, source, data: { input: '{"name":"n","count":1}' }, tools: [], loop_iterations: null, projection: 'json' };
}

/**
 * A bundle is compiled once and loaded by every run, so that only loading belongs to what every isolate holds: it ends
 * 0.2 MB smaller and 0.4 ms sooner, and the first compilation takes 3 ms more.
 */
function loading(environment: EnvironmentKind): GuestRequest {
  const reply = compileBundle({ operation: 'compile', environment, components: [{ id: 'warm', source: COMPONENT, dependencies: [] }] });
  if (reply.status !== 'compiled') throw new Error(JSON.stringify(reply));
  return { operation: 'load', code: reply.code };
}

/** A script that asks all of it of the guest's entrance `handle`. */
function warmUp(environment: EnvironmentKind, programs: readonly string[]): string {
  return `
  for (const request of ${JSON.stringify([loading(environment), ...programs.map((source) => evaluation(environment, source))])}) {
    const reply = JSON.parse(handle(JSON.stringify(request)));
    if (!['continued', 'returned', 'failed'].includes(reply.outcome) && reply.status !== 'loaded') throw new Error(JSON.stringify(reply));
  }`;
}

function guest(environment: EnvironmentKind, programs: readonly string[]): GuestBundleOptions {
  return { entry: 'sandbox/guest/main.ts', pinned: ['sandbox/runtime/intrinsics.ts'], warmUp: warmUp(environment, programs) };
}

/** The guests as they are built into the program. */
export const GUESTS: Readonly<Record<EnvironmentKind, GuestBundleOptions>> = { workflow: guest('workflow', CALLS), mission: guest('mission', PROGRAMS) };
