import type { ModelStep, Usage } from '../../../conformance/servers/llm/script.ts';

/** A command that a step needs to have run before it, in the folder of its tree. */
export interface Prepared {
  readonly argv: readonly string[];
  /** Exit status; success by default. */
  readonly status?: number;
  /** Owner-only files that it needs, by their path below the tree. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A step of an example tree whose model is played from a recording, and what its model says. */
export interface RecordedStep {
  /** Folder below examples/. */
  readonly tree: string;
  /** Folder with the application of the step; null where the tree is one application. */
  readonly step: string | null;
  /** Alias of the model that the host file of the tree installs. */
  readonly alias: string;
  /** What it is installed as while it is recorded; a language model by default. */
  readonly source?: 'decision';
  readonly script: readonly ModelStep[];
  readonly prepare?: readonly Prepared[];
  /** Options of the run beside its host. */
  readonly options?: readonly string[];
  /** Host file of the step below the tree; `svc-host.json` by default. */
  readonly host?: string;
  /** Folder below the tree that holds the fixtures and the host that replays them; that of the step by default. */
  readonly offline?: string;
}

/** What the recordings say of tokens is not measured: characters by four, and a round number for the request. */
function usage(request: number, answer: string): Usage {
  return { input: request, output: Math.ceil(answer.length / 4) };
}

/** A model that writes a program. Narration stands before the call. */
export function program(text: string, narration?: string): ModelStep {
  return {
    action: {
      answer: {
        ...(narration === undefined ? {} : { text: narration }),
        toolCalls: [{ name: 'run_svc_lisp', args: { program: text } }],
        usage: usage(1500, text),
      },
    },
  };
}

/**
 * A model that answers in words, or in JSON where the request has a schema; `about`: what the request is told apart by.
 */
export function words(text: string, about?: string): ModelStep {
  return {
    ...(about === undefined ? {} : { match: { lastContains: about } }),
    action: { answer: { text, usage: usage(30, text) } },
  };
}
