/**
 * Writes docs/terminal.svg: commands that are run now, in an empty folder, and what they print, as an animated picture
 * that needs no script. People who want less motion see it whole.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawTerminal, type TypedCommand } from './terminal/draw.ts';

const root = join(import.meta.dirname, '..');
const COMMANDS: readonly string[] = [
  'svc new --kind workflow --tools files --directory orders --yes',
  'cd orders && svc run',
  'svc test',
  'svc code --check',
];
/** What differs from run to run, and says nothing. */
const VOLATILE = /^(?:report:|next:| {2}(?:cd|svc) )/;

const directory = mkdtempSync(join(tmpdir(), 'svc-picture-'));
try {
  const PATH = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  let folder = directory;
  const typed: TypedCommand[] = COMMANDS.map((command) => {
    const output = execFileSync('sh', ['-c', `${command} 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, HOME: directory, LC_ALL: 'C.UTF-8' },
    });
    const entered = /^cd (\S+)/.exec(command)?.[1];
    if (entered !== undefined) folder = join(folder, entered);
    return { command, output: output.split('\n').filter((line) => line !== '' && !VOLATILE.test(line)) };
  });
  writeFileSync(join(root, 'docs/terminal.svg'), drawTerminal(typed));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
