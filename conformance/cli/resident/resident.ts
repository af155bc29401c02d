import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM, runToEnd, type Ended } from '../program.ts';
import { ResidentProcess, type ResidentContext } from './resident-process.ts';

/** An invocation that does not show whether it had a process of its own. */
export interface PlainInvocation {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export type Run = (invocation: PlainInvocation) => Promise<Ended>;

/**
 * Carries out an invocation in a process of the program's own files that all invocations share, one after another: the
 * start of a process and of its host is nine tenths of what a short command costs. What a suite asserts of a process
 * itself (signals, streams, memory, what it leaves running), it asserts of `runToEnd`.
 */
export const runResident: Run = residentOr('pipes', runToEnd);

/**
 * The same at a terminal of so many columns, both of whose streams come as `stdout`; or as `alone` does it, where each
 * invocation has a process of its own.
 */
export function runResidentAtTerminal(columns: number, alone: Run): Run {
  return residentOr({ columns }, alone);
}

/** Of processes that differ in what they were started with; further ones are not kept. */
const PROCESSES_MAX = 4;

function residentOr(context: ResidentContext, alone: Run): Run {
  const running = new Map<string, ResidentProcess>();
  let last: Promise<unknown> = Promise.resolve();

  async function carryOut(file: string, invocation: PlainInvocation): Promise<Ended> {
    const { argv, directory, environment = {}, input = '' } = invocation;
    const atStart = Object.entries(environment).filter(([name]) => READ_AT_START.test(name));
    const key = JSON.stringify(atStart);
    if (!running.has(key) && running.size >= PROCESSES_MAX) return alone(invocation);
    const one = running.get(key) ?? new ResidentProcess(file, context, Object.fromEntries(atStart));
    running.set(key, one);
    const ended = await one.carryOut({ argv, directory: realpathSync(directory), environment, input });
    if (ended !== null) return ended;
    running.delete(key);
    throw new Error(`the program did not come to its end: ${JSON.stringify(argv)}`);
  }

  return async (invocation) => {
    const file = programFile();
    const names = Object.keys(invocation.environment ?? {});
    if (file === null || names.some((name) => LEFT_TO_LAUNCHER.test(name))) return alone(invocation);
    const ended = last.then(async () => carryOut(file, invocation));
    last = ended.catch(() => undefined);
    return ended;
  };
}

/**
 * The installed program's own file, where the program under test is ours: another is started for each invocation, and
 * so is ours where `SVC_TEST_PROCESSES` is set.
 */
function programFile(): string | null {
  if ((process.env['SVC_TEST_PROCESSES'] ?? '') !== '' || !existsSync(PROGRAM)) return null;
  const file = join(dirname(realpathSync(PROGRAM)), '../dist/main.cjs');
  return existsSync(file) ? file : null;
}

/** What node itself reads, once, when it starts. */
const READ_AT_START = /^(?:NODE_EXTRA_CA_CERTS$|NODE_USE_SYSTEM_CA$|SSL_CERT_|LANG$|LC_|TZ$)/;
/** What the launcher keeps from node. */
const LEFT_TO_LAUNCHER = /^(?:NODE_(?!EXTRA_CA_CERTS$|USE_SYSTEM_CA$)|LD_|DYLD_|OPENSSL_)/;
