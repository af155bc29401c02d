import type { CustomFunction } from '../../supervisor/api/supervisor.ts';

export const AREAS = ['tables', 'text', 'joins', 'chains', 'dates', 'large', 'names', 'failures', 'ideas'] as const;
/** What a task is hard by. */
export type Area = (typeof AREAS)[number];

/** A function that the programs of a task may call. */
export interface TaskTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly effect?: 'read' | 'write';
  /** Made anew for each run, so that a tool may have a memory. */
  readonly open: () => CustomFunction;
}

/** A call that a tool was asked for, with what it was given. */
export interface TaskCall {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** One task of the trial: what an agent is asked, what it has, and what counts as right. */
export interface TrialTask {
  /** `area/name`. */
  readonly name: string;
  readonly area: Area;
  readonly task: string;
  /** `data/NAME` of its programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly TaskTool[];
  /** JSON Schema of the value that the agent has to return. */
  readonly contract?: Readonly<Record<string, unknown>>;
  /** A function of svc-lisp that judges the value, as of the option `verify`. */
  readonly verify?: string;
  /** Whether the one phase of the task takes a single `return` or `fail` form and nothing else. */
  readonly isTerminal?: boolean;
  /** Whether a value is right, and was come to by calls that are. */
  readonly check: (value: unknown, calls: readonly TaskCall[]) => boolean;
  /** A program that does it, which clumsy answers are made from. No model is shown it. */
  readonly solution: string;
}
