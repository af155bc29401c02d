/** What the process is given, in which invocations of the program are carried out one after another. */
export interface ProgramRequest {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What standard input holds. */
  readonly input: string;
}

/** `failure`: what the program threw, which is a bug in its reporting of bugs. */
export interface ProgramAnswer {
  readonly status: number | null;
  readonly failure: string | null;
}

/** At a terminal it follows what an invocation wrote: no program may write it. */
export const END_OF_OUTPUT = '\u0000\u0016\u0000';

/** A sandbox whose first host boots while the program is loaded; `close` ends its hosts. */
export interface EarlySandbox {
  readonly close: () => Promise<void>;
}

type Environment = ProgramRequest['environment'];

/** What the file of the program that its launcher brings exports: one invocation, from its words to its exit status. */
export interface Program {
  readonly invoke: (caller: {
    readonly argv: readonly string[];
    readonly variables: NodeJS.ProcessEnv;
    readonly workingDirectory: string;
    readonly signals: NodeJS.EventEmitter;
    readonly exit: (status: number) => void;
    readonly startSandbox: (programFolder: string) => Promise<EarlySandbox>;
  }) => Promise<number>;
  readonly startSandboxEarly: (programFolder: string, variables: Environment) => Promise<EarlySandbox>;
}
