import type { BranchRequest, EnvironmentKind, EvaluateRequest, GuestRequest } from '../contract/sandbox-protocol.ts';
import { compileBundle } from '../sandbox/language/components/compile-bundle.ts';
import type { GuestBundleOptions } from './guest-bundle.ts';

/**
 * What nearly every program of each kind of environment does. What these requests reach is part of every isolate's heap,
 * compiled; all else is read when a program first needs it. Each further form here makes every isolate start a little
 * later, and every program that uses it answer much sooner (bench/README.md).
 */
const PROGRAMS: readonly string[] = [
  '(+ 1 2)',
  '(str (warm/greet data/input) (:status (tool/ask {:n 1})))',
  `(defn total [items] (reduce + 0 (map :amount items)))
   (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
     (if (> (total items) 2) (return {"total" (total items) "names" (str a "," b)}) (fail {:reason :none})))`,
  '(pmap inc [1 2])',
];

/** A workflow is a call of its entry: it needs neither reader nor compiler (sandbox/language/export-call.ts). */
const CALLS: readonly string[] = ['(warm/greet data/input)', '(warm/total data/input)', '(warm/give-up data/input)', '(warm/ask data/input)'];

const COMPONENT = `(ns warm "A component.")
(defn greet "Greets." [input] {"greeting" (str "hello " (get input "name"))})
(defn- sum [items] (reduce + 0 (map :amount items)))
(defn total [input]
  (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
    (if (> (sum items) 2) (return {"total" (sum items) "names" (str a "," b)}) (fail {:reason :none}))))
(defn give-up [input] (fail {:reason :none}))
(defn ask [input] (:status (tool/ask {:n (get input "count")})))`;

function evaluation(environment: EnvironmentKind, source: string): EvaluateRequest {
  return { operation: 'evaluate', environment, source, data: { input: '{"name":"n","count":1}' }, tools: ['ask'], loop_iterations: null, projection: 'json' };
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

/** The answer to every capability call but that for parallel branches. */
const ANSWER = '{"reply":"envelope","envelope":{"status":"ok","value":1}}';

/**
 * A script that asks all of it, each evaluation of a guest of its own, and one after the other with what the last one
 * kept. `freshGuest` makes the entrance of a guest that makes its capability calls through the function it is given.
 */
function warmUp({ load, evaluations }: Asked): string {
  return `
  const ask = (handle, asked) => JSON.parse(handle(JSON.stringify(asked)));
  const loadedGuest = () => {
    const handle = freshGuest(answerCall);
    const reply = ask(handle, ${JSON.stringify(load)});
    if (reply.status !== 'loaded') throw new Error(JSON.stringify(reply));
    return handle;
  };
  const answerCall = (text) => {
    const { name, arguments: written } = JSON.parse(text);
    if (name !== '#parallel') return ${JSON.stringify(ANSWER)};
    const { shared, calls } = JSON.parse(written);
    const branches = calls.map((call) => ask(loadedGuest(), { ...${JSON.stringify(BRANCH)}, shared, call }));
    return JSON.stringify({ reply: 'branches', branches });
  };
  let continuation = null;
  for (const request of ${JSON.stringify(evaluations)}) {
    const reply = ask(loadedGuest(), request.commit === undefined ? request : { ...request, continuation });
    continuation = reply.continuation ?? null;
    if (reply.outcome === 'evaluation_error') throw new Error(JSON.stringify(reply));
  }`;
}

interface Asked {
  readonly load: GuestRequest;
  readonly evaluations: readonly EvaluateRequest[];
}

function guest(asked: Asked): GuestBundleOptions {
  return { entry: 'sandbox/guest/main.ts', pinned: ['sandbox/runtime/intrinsics.ts'], warmUp: warmUp(asked) };
}

/** What every branch is asked besides its own texts. */
const BRANCH: Omit<BranchRequest, 'shared' | 'call'> = { operation: 'branch', environment: 'mission', data: {}, tools: [], loop_iterations: null, branches: true };

/** Missions keep what their programs define, and may run branches. */
const KEPT: Pick<EvaluateRequest, 'branches' | 'commit'> = { branches: true, commit: { memory_bytes: 1_000_000, history_bytes: 100_000 } };

/** The guests as they are built into the program. */
export const GUESTS: Readonly<Record<EnvironmentKind, GuestBundleOptions>> = {
  workflow: guest({ load: loading('workflow'), evaluations: CALLS.map((source) => evaluation('workflow', source)) }),
  mission: guest({ load: loading('mission'), evaluations: PROGRAMS.map((source) => ({ ...evaluation('mission', source), ...KEPT })) }),
};
