import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTerminal } from '../at-terminal.ts';
import { environmentOf, PATIENCE_MS, type Ended } from '../program.ts';
import { END_OF_OUTPUT, type ProgramAnswer, type ProgramRequest } from './protocol.ts';

/** Where the process writes: into files, which are to the program as pipes are, or to a terminal. */
export type ResidentContext = 'pipes' | { readonly columns: number };

type Environment = ProgramRequest['environment'];
type Written = Pick<Ended, 'stdout' | 'stderr'>;

interface Streams {
  /** What was written since the last call; resolves once all of an invocation is there. */
  readonly take: () => Promise<Written>;
}

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'carry-out.ts')];

/** A process that carries out invocations of the program whose file is given; ends with the process that made it. */
export class ResidentProcess {
  /** For what it writes; it removes the folder at its own end. */
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #streams: Streams;

  /** `environment`: what node itself reads when it starts. */
  constructor(file: string, context: ResidentContext, environment: Environment) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-resident-'));
    const command = [...NODE, file, folder];
    const { child, streams } =
      context === 'pipes'
        ? startWithFiles(command, folder, environment)
        : startAtTerminal(command, context.columns, environment);
    this.#folder = folder;
    this.#child = child;
    this.#streams = streams;
    this.#keepWaiting(false);
  }

  /** One at a time. Null where the process ended, took too long or threw: it is of no more use. */
  async carryOut(request: ProgramRequest): Promise<Ended | null> {
    this.#keepWaiting(true);
    try {
      const answer = await this.#ask({ ...request, environment: environmentOf(request.environment) });
      if (answer?.status !== undefined && answer.status !== null)
        return { status: answer.status, signal: null, ...(await this.#streams.take()) };
      process.stderr.write(`${answer?.failure ?? 'the process ended'}\n`);
      this.#kill();
      return null;
    } finally {
      this.#keepWaiting(false);
    }
  }

  #kill(): void {
    // The process itself where the child is its terminal.
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ask(request: ProgramRequest): Promise<ProgramAnswer | null> {
    return new Promise((resolve) => {
      const child = this.#child;
      const patience = setTimeout(() => settle(null), PATIENCE_MS);
      const onExit = (): void => settle(null);
      function settle(answer: ProgramAnswer | null): void {
        clearTimeout(patience);
        child.off('message', settle).off('exit', onExit);
        resolve(answer);
      }
      child.on('message', settle).on('exit', onExit).send(request);
    });
  }

  /** A process that nobody waits for keeps no command of tests from its end, which ends it. */
  #keepWaiting(isWaitedFor: boolean): void {
    for (const one of [this.#child, this.#child.channel]) {
      if (isWaitedFor) one?.ref();
      else one?.unref();
    }
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly streams: Streams;
}

function startWithFiles([program = '', ...argv]: readonly string[], folder: string, environment: Environment): Started {
  const [stdout, stderr] = [join(folder, 'stdout'), join(folder, 'stderr')];
  // Each write goes to the end of what is there, also after it was cut.
  const descriptors = [stdout, stderr].map((path) => openSync(path, 'a', 0o600));
  const child = spawn(program, argv, { env: environmentOf(environment), stdio: ['ignore', ...descriptors, 'ipc'] });
  for (const descriptor of descriptors) closeSync(descriptor);
  const take = async (): Promise<Written> => {
    const written = { stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') };
    for (const path of [stdout, stderr]) truncateSync(path, 0);
    return written;
  };
  return { child, streams: { take } };
}

function startAtTerminal(command: readonly string[], columns: number, environment: Environment): Started {
  const { program, argv } = inTerminal([...command, 'terminal'], columns);
  const child = spawn(program, argv, {
    env: environmentOf({ ...environment, TERM: 'xterm-256color' }),
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  });
  // As its channel: while nobody waits for the process, nothing of it keeps this one.
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  let seen = '';
  let onMore = (): void => undefined;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    onMore();
  });
  const take = async (): Promise<Written> =>
    new Promise((resolve) => {
      onMore = () => {
        if (!seen.endsWith(END_OF_OUTPUT)) return;
        const stdout = seen.slice(0, -END_OF_OUTPUT.length);
        seen = '';
        onMore = () => undefined;
        resolve({ stdout, stderr: '' });
      };
      onMore();
    });
  return { child, streams: { take } };
}
