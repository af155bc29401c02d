import type { EvaluateRequest, GuestRequest } from '../contract/sandbox-protocol.ts';

/**
 * What nearly every program does. The modules that these requests call are part of every isolate's heap, compiled;
 * all others are read when a program first calls them. Each further form here makes every isolate start a little
 * later, and every program that uses it answer much sooner (bench/README.md).
 */
const PROGRAMS: readonly string[] = [
  '(+ 1 2)',
  `(defn total [items] (reduce + 0 (map :amount items)))
   (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
     (if (> (total items) 2) (return {"total" (total items) "names" (str a "," b)}) (fail {:reason :none})))`,
];

function evaluation(source: string): EvaluateRequest {
  return { operation: 'evaluate', environment: 'mission', source, data: {}, tools: [], loop_iterations: null, projection: 'json' };
}

export const WARM_UP: readonly GuestRequest[] = PROGRAMS.map(evaluation);
