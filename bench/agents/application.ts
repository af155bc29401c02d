import { defineCustomInstallation, type CustomInstallation } from '../../supervisor/api/supervisor.ts';
import type { TaskCall, TrialTask } from './task.ts';

/** Turns that an agent has for a task. */
export const TURNS = 8;
const TOOLS = 'trial_tools';
const CONTRACT = 'answer';

/** How agents are run that no task decides. */
export interface TrialTerms {
  /** Alias of the model in the host document. */
  readonly model: string;
  /** Further limits of the manifest: those of the host document bound them. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Further options of the loop. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

/** Of `svc init`, for live agents. */
const LIMITS = {
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  llm_request_output_tokens: 16_384,
  normal_event_count: 4096,
};

/** Files of the application that a task makes, by logical name. */
export function applicationFiles(
  task: TrialTask,
  { model, limits = {}, agent = {} }: TrialTerms,
): ReadonlyMap<string, Uint8Array> {
  const libraries = ['agent.core', 'kernel'];
  const providers = task.tools === undefined ? {} : { providers: [TOOLS] };
  const manifest = {
    version: 1,
    workflow: {
      components: [
        ...libraries.map((library) => ({ library })),
        { id: 'main', path: 'main.clj', dependencies: libraries },
      ],
      entry: 'main/run',
    },
    missions: { default: { ...providers, ...(task.data === undefined ? {} : { data: task.data }) } },
    input: { value: { task: task.task, agent: { ...optionsOf(task), ...agent } } },
    limits: { ...LIMITS, ...limits },
    providers: {
      workflow: [{ name: model }],
      ...(task.tools === undefined ? {} : { mission: [{ name: TOOLS }] }),
    },
    ...(task.contract === undefined
      ? {}
      : { contracts: { phase_return_schemas: { [CONTRACT]: { path: 'answer.json' } } } }),
  };
  const verify = task.verify === undefined ? 'agent' : `(assoc agent "verify" ${task.verify} "max_corrections" 4)`;
  const texts = {
    'svc.json': JSON.stringify(manifest),
    'main.clj': `(ns main)\n(defn run [{:keys [task agent]}]\n  (agent.core/run-outcome task ${verify}))\n`,
    ...(task.contract === undefined ? {} : { 'answer.json': JSON.stringify(task.contract) }),
  };
  return new Map(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]));
}

function optionsOf(task: TrialTask): Readonly<Record<string, unknown>> {
  if (task.isTerminal === true) return { phases: [{ mission: 'default', 'max-turns': TURNS, 'terminal-only': true }] };
  return { max_turns: TURNS, ...(task.contract === undefined ? {} : { return_contract: CONTRACT }) };
}

/** Tools of a task for one run, which note each call that they were given. */
export function openTools({ tools = [] }: TrialTask, calls: TaskCall[]): readonly CustomInstallation[] {
  if (tools.length === 0) return [];
  return [
    defineCustomInstallation({
      alias: TOOLS,
      revision: 'r1',
      destinations: ['mission'],
      capabilities: tools.map(({ open, name, effect = 'read', ...spec }) => {
        const call = open();
        return {
          ...spec,
          name,
          effect,
          modelVisible: true,
          call: (input, context) => {
            calls.push({ name, given: input });
            return call(input, context);
          },
        };
      }),
    }),
  ];
}
