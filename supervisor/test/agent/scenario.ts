import type { CustomInstallation, RunRequest } from '../../api/supervisor.ts';
import type { Fault } from '../../../conformance/servers/http/deliver.ts';
import type { Answer, ToolCall } from '../../../conformance/servers/llm/script.ts';
import type { PlayedAgent } from './agent-run.ts';

/** What the model says to one request: a program to call the tool with, or a whole answer, or a fault of the wire. */
export type Said =
  | string
  | (Omit<Answer, 'toolCalls'> & {
      readonly program?: string;
      readonly calls?: readonly ToolCall[];
      readonly delayMs?: number;
      /** What the request is told apart by, where several loops ask. */ readonly about?: string;
    })
  | { readonly status: number; readonly body?: unknown }
  | { readonly fault: Fault };

/** An application around an agent loop, with defaults for everything. */
export interface AgentApplication {
  /** Body of the workflow's `(defn run [input] …)`; by default the entry named here on the task and options. */
  readonly body?: string;
  readonly entry?: 'run' | 'run-value' | 'run-outcome' | 'run-result-value' | 'run-phased-result-value';
  readonly agent?: Readonly<Record<string, unknown>>;
  readonly task?: string;
  /** Forms before the entry. */
  readonly forms?: string;
  readonly libraries?: readonly string[];
  readonly missions?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly hostLimits?: Readonly<Record<string, unknown>>;
  readonly contracts?: Readonly<Record<string, unknown>>;
  readonly isPrivate?: boolean;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Members of the installation `small`. */
  readonly install?: Readonly<Record<string, unknown>>;
  /** Selections of the workflow; `[{"name": "small"}]` by default. */
  readonly select?: readonly unknown[];
  /** Further arguments of `svc run`. */
  readonly options?: readonly string[];
  /** Functions that missions may call, of one installation or several. They are given to an embedding program. */
  readonly tools?: () => CustomInstallation | readonly CustomInstallation[];
  /** Who is asked about their calls. Of an embedding program. */
  readonly onApproval?: RunRequest['onApproval'];
}

/** Text that a request must or must not hold. */
export interface RequestText {
  /** From 1. */
  readonly request: number;
  /** Index of the message, from the end if negative; the last by default. `system`: the system text. */
  readonly message?: number | 'system';
  readonly role?: string;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

export interface Expected {
  /** Value of the run. */
  readonly value?: unknown;
  /** Code of its diagnostic, with the exit status and what else of it is told. */
  readonly code?: string;
  readonly exit?: number;
  readonly message?: string;
  readonly error?: Readonly<Record<string, unknown>>;
  readonly requests: number;
  /** Members of `execution.usage`. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Members of `run-stopped`. */
  readonly stopped?: Readonly<Record<string, unknown>>;
  readonly requestTexts?: readonly RequestText[];
  /** Texts that must not stand in what a normal run publishes: envelope, trace, streams. */
  readonly nowhere?: readonly string[];
}

export interface Scenario {
  /** Row of agent-library.md §14, with a letter where a row has several cases. */
  readonly id: string;
  readonly title: string;
  readonly application?: AgentApplication;
  readonly answers: readonly Said[];
  readonly expect: Expected;
  readonly also?: (played: PlayedAgent) => void;
  /** Why it cannot be played from a recording. */
  readonly notReplayed?: string;
}
