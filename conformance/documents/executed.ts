import { validEnvelope } from '../cli/envelope-check.ts';
import { runToEnd } from '../cli/program.ts';
import type { Run } from '../cli/resident/resident.ts';
import { snapshot } from '../cli/work-directory.ts';
import { MARK } from './base.ts';
import type { DocumentCase } from './document-case.ts';
import { layOut, removeLaidOut, type LaidOut } from './laid-out.ts';

/** What the program said of one case. */
export interface Executed {
  readonly status: number | null;
  /** What follows the warnings, which come first and say nothing of a fault. */
  readonly stderr: string;
  readonly envelope: { readonly run_ref: string; readonly [member: string]: unknown };
  /** Paths that appeared, vanished or changed. */
  readonly touched: readonly string[];
  /**
   * Whether any stream shows what its author wrote (base.ts), but for warnings, which name public selectors, for the
   * declared names of which one is meant, and for what the operator gave: arguments that are repeated, and directories
   * that are refused.
   */
  readonly leaks: boolean;
}

/** Variables beside those of every case. */
export type Environment = Readonly<Record<string, string>>;

/** Runs one case with its envelope on stdout, which is checked whole; throws for an invalid envelope. */
export async function execute(
  one: DocumentCase,
  environment: Environment = {},
  run: Run = runToEnd,
): Promise<Executed> {
  const laid = layOut(one);
  try {
    const before = snapshot(laid.directory);
    const { status, stdout, stderr } = await run({
      argv: ['--json', ...laid.argv],
      directory: laid.directory,
      environment,
    });
    if (stdout === '') throw new Error(`no envelope: ${stderr}`);
    const after = snapshot(laid.directory);
    const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path) !== after.get(path),
    );
    const envelope = validEnvelope(stdout);
    const reported = stderr.replace(/^(?:warning: [^\n]+\n)+/u, '');
    const shown =
      JSON.stringify({ ...envelope, warnings: [] }) +
      withoutOperatorsWords(reported, laid).replace(/\bdid you mean [^\n?]+\?|\b(?:remedy: |; )write [^\n;]+/gu, '');
    const leaks = shown.toLowerCase().includes(MARK.toLowerCase());
    return { status, stderr: reported, envelope, touched, leaks };
  } finally {
    removeLaidOut(laid);
  }
}

function withoutOperatorsWords(text: string, { argv, directory }: Pick<LaidOut, 'argv' | 'directory'>): string {
  const repeated = (stored: string, argument: string) =>
    stored.replaceAll(`(${argument})`, '()').replaceAll(`(${argument}; did you mean `, '(did you mean ');
  return argv.reduce(repeated, text.replaceAll(directory, ''));
}

/** Processes at a time. */
const AT_ONCE = 2;

/** Runs all cases, a few at a time; each is told as soon as it and those before it have ended. */
export function executeAll(
  cases: readonly DocumentCase[],
  environment: Environment = {},
  run: Run = runToEnd,
): readonly Promise<Executed>[] {
  const waiting = cases.map((one) => ({ one, ...Promise.withResolvers<Executed>() }));
  const queue = waiting.values();
  const work = async () => {
    for (const { one, resolve, reject } of queue) {
      await execute(one, environment, run).then(resolve, reject);
    }
  };
  for (let worker = 0; worker < AT_ONCE; worker += 1) void work();
  // A failure is told where its result is asked for.
  for (const { promise } of waiting) promise.catch(() => undefined);
  return waiting.map(({ promise }) => promise);
}
