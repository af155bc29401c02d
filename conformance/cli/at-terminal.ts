import { start, type Ended, type Invocation } from './program.ts';

/** What starts a program in a terminal of so many columns, made by script(1), that leaves line ends as they are. */
export function inTerminal(
  words: readonly string[],
  columns: number,
): { readonly program: string; readonly argv: readonly string[] } {
  const command = `stty -onlcr -echo columns ${columns} && exec ${words.map(quoted).join(' ')}`;
  return { program: 'script', argv: ['--quiet', '--return', '--command', command, '/dev/null'] };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Runs a program in a terminal made by script(1), and types each text once what it waits for was shown behind what was
 * seen until then; what is awaited may be empty. Both streams come as `stdout`. No part of `argv` may hold a quote.
 */
export async function atTerminal(
  { program, argv, directory, environment }: Required<Pick<Invocation, 'program'>> & Invocation,
  steps: readonly (readonly [awaited: string, typed: string])[],
): Promise<Ended> {
  const command = [program, ...argv].map((word) => `'${word}'`).join(' ');
  const { child, ended } = start({
    program: 'script',
    argv: ['--quiet', '--return', '--command', command, '/dev/null'],
    directory,
    environment: { TERM: 'xterm', NO_COLOR: '1', ...environment },
    options: { stdio: ['pipe', 'pipe', 'pipe'] },
  });
  const waiting = [...steps];
  let seen = '';
  const advance = (): void => {
    for (let step = waiting[0]; step !== undefined && seen.includes(step[0]); step = waiting[0]) {
      seen = seen.slice(seen.indexOf(step[0]) + step[0].length);
      waiting.shift();
      child.stdin?.write(step[1]);
    }
  };
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('data', (text: string) => {
    seen += text;
    advance();
  });
  advance();
  const end = await ended;
  child.stdin?.end();
  return end;
}
