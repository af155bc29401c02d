import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationOf, programs } from '../bench/programs/table.ts';
import type { BranchRequest, EnvironmentKind, EvaluateRequest, GuestRequest } from '../contract/sandbox-protocol.ts';
import { compileBundle } from '../sandbox/language/components/compile-bundle.ts';
import type { GuestBundleOptions } from './guest-bundle.ts';

/**
 * What a mission does besides the programs that models write (the half "warm" of bench/programs). What all these
 * requests reach is part of every isolate's heap, compiled; all else is read when a program first needs it. A form that
 * reaches more makes every isolate start a little later, and every program that uses it answer much sooner
 * (bench/README.md).
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
const CALLS: readonly string[] = [
  '(warm/greet data/input)',
  '(warm/total data/input)',
  '(warm/give-up data/input)',
  '(warm/ask data/input)',
  '(warm/look data/input)',
  '(warm/change data/input)',
];

const COMPONENT = `(ns warm "A component.")
(defn greet "Greets." [input] {"greeting" (str "hello " (get input "name"))})
(defn- sum [items] (reduce + 0 (map :amount items)))
(defn total [input]
  (let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
    (if (> (sum items) 2) (return {"total" (sum items) "names" (str a "," b)}) (fail {:reason :none}))))
(defn give-up [input] (fail {:reason :none}))
(defn ask [input] (:status (tool/ask {:n (get input "count")})))
(defn look [input]
  (let [items (get input "items")] (if (empty? items) nil {"count" (count items) "first" (first items)})))
(defn change [input] (assoc input "items" (mapv inc (filter odd? (get input "items")))))`;

/**
 * Libraries that many runs select: what loading them needs adds 3 % to the snapshot. That of the agent would add 20
 * (bench/README.md).
 */
const LIBRARIES = ['kernel', 'llm'];
const PRELUDES = join(import.meta.dirname, '../sandbox/preludes');

function evaluation(environment: EnvironmentKind, source: string): EvaluateRequest {
  return {
    operation: 'evaluate',
    environment,
    source,
    data: { input: '{"name":"n","count":1,"items":[1,2]}' },
    tools: ['ask'],
    loop_iterations: null,
    projection: 'json',
  };
}

/**
 * A bundle is compiled once and loaded by every run, so that only loading belongs to what every isolate holds: it ends
 * 0.2 MB smaller and 0.4 ms sooner, and the first compilation takes 3 ms more.
 */
function loading(environment: EnvironmentKind, id: string, source: string): GuestRequest {
  const reply = compileBundle({ operation: 'compile', environment, components: [{ id, source, dependencies: [] }] });
  if (reply.status !== 'compiled') throw new Error(JSON.stringify(reply));
  return { operation: 'load', code: reply.code };
}

/** The answer to every capability call but that for parallel branches. */
const ANSWER = '{"reply":"envelope","envelope":{"status":"ok","value":1}}';

/**
 * A script that gives each life a guest of its own, asks it all of that life's evaluations, and has another guest go on
 * from what the life kept. `freshGuest` makes the entrance of a guest that calls capabilities through what it is given.
 */
function warmUp({ load, libraries, lives, restored }: WarmUpRequest): string {
  return `
  const ask = (handle, asked) => JSON.parse(handle(JSON.stringify(asked)));
  const loadedGuest = (load = ${JSON.stringify(load)}) => {
    const handle = freshGuest(answerCall);
    const reply = ask(handle, load);
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
  const evaluated = (handle, request) => {
    const reply = ask(handle, request);
    if (reply.outcome === 'evaluation_error' || reply.outcome === undefined) throw new Error(JSON.stringify(reply));
    return reply.continuation;
  };
  for (const library of ${JSON.stringify(libraries)}) loadedGuest(library);
  for (const life of ${JSON.stringify(lives)}) {
    const handle = loadedGuest();
    let continuation = null;
    for (const request of life) {
      continuation = evaluated(handle, continuation === null ? request : { ...request, continuation: 'living' });
    }
    if (continuation !== undefined) evaluated(loadedGuest(), { ...${JSON.stringify(restored)}, continuation });
  }`;
}

interface WarmUpRequest {
  readonly load: GuestRequest;
  /** What is only loaded, each into a guest of its own. */
  readonly libraries: readonly GuestRequest[];
  /** Evaluations of one guest each, in order. */
  readonly lives: readonly (readonly EvaluateRequest[])[];
  /** What a guest is asked that goes on from what a life kept; null where nothing is kept. */
  readonly restored: EvaluateRequest | null;
}

function guest(warmUpRequest: WarmUpRequest): GuestBundleOptions {
  return { entry: 'sandbox/guest/main.ts', pinned: ['sandbox/runtime/intrinsics.ts'], warmUp: warmUp(warmUpRequest) };
}

/** What every branch is asked besides its own texts. */
const BRANCH: Omit<BranchRequest, 'shared' | 'call'> = {
  operation: 'branch',
  environment: 'mission',
  data: {},
  tools: [],
  loop_iterations: null,
  branches: true,
};

/** Missions keep what their programs define, and may run branches. */
const STORED = {
  projection: 'json',
  observation_characters: 2048,
  continuation: null,
  branches: true,
  commit: { memory_bytes: 1_000_000, history_bytes: 100_000 },
  omits_unchanged: true,
} as const satisfies Partial<EvaluateRequest>;

const OWN = PROGRAMS.map((source) => ({ ...evaluation('mission', source), ...STORED }));
/** Each twice: in a fresh isolate, and as a later evaluation of one that lives. */
const CORPUS = programs('warm').map((program): EvaluateRequest[] => [
  { ...evaluationOf(program), ...STORED },
  { ...evaluationOf(program), ...STORED },
]);

/** The guests as they are built into the program. */
export const GUESTS: Readonly<Record<EnvironmentKind, GuestBundleOptions>> = {
  workflow: guest({
    load: loading('workflow', 'warm', COMPONENT),
    libraries: LIBRARIES.map((id) => loading('workflow', id, readFileSync(join(PRELUDES, `${id}.clj`), 'utf8'))),
    lives: CALLS.map((source) => [evaluation('workflow', source)]),
    restored: null,
  }),
  mission: guest({
    load: loading('mission', 'warm', COMPONENT),
    libraries: [],
    lives: [...OWN.map((request) => [request]), ...CORPUS],
    restored: { ...evaluation('mission', '(+ 1 2)'), ...STORED },
  }),
};
