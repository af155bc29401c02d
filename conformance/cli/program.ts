import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { resolve } from 'node:path';

/** The program under test: any launcher that speaks the interface. */
export const PROGRAM = resolve(process.env['SVC_PROGRAM'] ?? './bin/svc');

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Invocation {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: SpawnOptions;
  /** For `runToEnd`: what standard input holds, through a pipe; absent, it is closed. */
  readonly input?: string;
  /** Absent: the program under test. */
  readonly program?: string;
}

/** Longest that any case may take; a program that hangs is killed and the case fails. */
export const PATIENCE_MS = 120_000;

/** Only what a shell would give: nothing of this machine's own settings reaches the program. */
export function environmentOf(extra: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8', ...extra };
}

export function start({ argv, directory, environment, options, program = PROGRAM }: Invocation): Started {
  const child = spawn(program, [...argv], {
    cwd: directory,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    ...options,
  });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      streams[name] += text;
    });
  }
  const ended = new Promise<Ended>((done, failed) => {
    child.once('error', failed);
    child.once('close', (status, signal) => done({ status, signal, ...streams }));
  });
  return { child, ended };
}

export async function runToEnd({ input, ...invocation }: Invocation): Promise<Ended> {
  if (input === undefined) return start(invocation).ended;
  const { child, ended } = start({
    ...invocation,
    options: { stdio: ['pipe', 'pipe', 'pipe'], ...invocation.options },
  });
  // A program that ends without reading its input is no failure of the test.
  child.stdin?.on('error', () => undefined).end(input);
  return ended;
}
