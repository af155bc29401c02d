/**
 * The process in which invocations of the installed program are carried out one after another, by its own files:
 * `carry-out.ts FILE FOLDER [terminal]`, the file that its launcher brings, and what is removed at the end. Speaks over
 * the channel that node makes; what the program writes goes to the two standard streams of this process.
 */
import { EventEmitter } from 'node:events';
import { rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { END_OF_OUTPUT, type EarlySandbox, type Program, type ProgramAnswer, type ProgramRequest } from './protocol.ts';

const [file = '', folder = '', where = ''] = process.argv.slice(2);
const isTerminal = where === 'terminal';
const program: Program = createRequire(import.meta.filename)(file);

/** Hosts stay for the next invocation that is configured alike: a start of one costs most of an invocation. */
const sandboxes = new Map<string, EarlySandbox>();

async function startSandbox(programFolder: string, variables: ProgramRequest['environment']): Promise<EarlySandbox> {
  const settings = Object.keys(variables).filter((name) => name.startsWith('SVC_'));
  const key = JSON.stringify(settings.toSorted().map((name) => [name, variables[name]]));
  const started = sandboxes.get(key) ?? (await program.startSandboxEarly(programFolder, variables));
  sandboxes.set(key, started);
  return { ...started, close: async () => undefined };
}

function replaceEnvironment(environment: ProgramRequest['environment']): void {
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name];
  Object.assign(process.env, environment);
}

async function carryOut({ argv, directory, environment, input }: ProgramRequest): Promise<ProgramAnswer> {
  process.chdir(directory);
  replaceEnvironment(environment);
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY: isTerminal });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  try {
    const status = await program.invoke({
      argv,
      variables: process.env,
      workingDirectory: directory,
      signals: new EventEmitter(),
      exit: (code) => process.exit(code),
      startSandbox: async (programFolder) => startSandbox(programFolder, environment),
    });
    return { status, failure: null };
  } catch (error) {
    return { status: null, failure: String(error) };
  } finally {
    // A process that works in the directory of an application is one of its servers that was left behind.
    process.chdir(folder);
  }
}

async function answerRequest(request: ProgramRequest): Promise<void> {
  const answer = await carryOut(request);
  if (isTerminal) writeSync(1, END_OF_OUTPUT);
  process.send?.(answer);
}

process.on('message', (request: ProgramRequest) => void answerRequest(request));
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  void Promise.all([...sandboxes.values()].map(async ({ close }) => close())).finally(() => process.exit());
});
