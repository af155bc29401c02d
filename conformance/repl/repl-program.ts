import { start, type Ended, type Started } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';

export interface ReplCase {
  readonly argv: readonly string[];
  readonly stdin?: string | Uint8Array;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `svc repl` to its end in a directory of its own. */
export async function repl({ argv, stdin = '', files = {}, environment = {} }: ReplCase): Promise<Ended> {
  const directory = makeWorkDirectory(files);
  try {
    const { child, ended } = start({
      argv: ['repl', ...argv],
      directory,
      environment,
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    // A program that ends without reading its input is no failure of the test.
    child.stdin?.on('error', () => undefined).end(stdin);
    return await ended;
  } finally {
    removeWorkDirectory(directory);
  }
}

/**
 * A terminal made by script(1); what is typed is written to its standard input. `options`: of a shell, without quotes.
 */
export function replAtTerminal(
  directory: string,
  environment: Readonly<Record<string, string>>,
  program: string,
  options = '',
): Started {
  return start({
    program: 'script',
    argv: ['--quiet', '--return', '--command', `'${program}' repl ${options}`, '/dev/null'],
    directory,
    environment,
    options: { stdio: ['pipe', 'pipe', 'pipe'] },
  });
}
