/**
 * Pages of the documentation show commands and their output: each is typed here as it stands, in an empty directory.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const FOLDERS = ['docs/start', 'docs/guides', 'docs/reference'] as const;

interface Shown {
  readonly command: string;
  readonly output: string;
}

/**
 * The commands of the `console` blocks of a page, in order; a command is one line after `$ `, its output the lines up
 * to the next.
 */
function shownCommands(page: string): readonly Shown[] {
  return page
    .matchAll(/^```console\n(.*?)^```$/gms)
    .toArray()
    .flatMap(([, block = '']) =>
      block
        .split(/^\$ /m)
        .slice(1)
        .map((part) => {
          const end = part.indexOf('\n');
          return { command: part.slice(0, end), output: part.slice(end + 1) };
        }),
    );
}

/** Types the commands into one shell; what it prints for each. A command that fails ends the shell. */
function typed(commands: readonly string[], directory: string): readonly string[] {
  const separator = '\u0001';
  const script = ['set -e', ...commands.flatMap((command) => [command, `printf '${separator}'`])].join('\n');
  const PATH = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  return execFileSync('sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH, HOME: directory, LC_ALL: 'C' },
  })
    .split(separator)
    .slice(0, -1);
}

describe('commands that the pages show', () => {
  const pages = FOLDERS.flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
    .map((name) => ({ name, shown: shownCommands(readFileSync(join(root, name), 'utf8')) }))
    // Recipes have files, and a suite of their own.
    .filter(({ name, shown }) => shown.length > 0 && !name.includes('/recipes-'));

  it('are found', () => {
    expect(pages.map(({ name }) => name)).to.include('docs/start/quickstart.md');
  });

  for (const { name, shown } of pages) {
    it(`${name}: ${shown.length} commands print what is shown`, () => {
      const directory = mkdtempSync(join(tmpdir(), 'svc-page-'));
      try {
        const outputs = typed(
          shown.map(({ command }) => command),
          directory,
        );
        expect(shown.map(({ command }, at) => ({ command, output: outputs[at] }))).to.deep.equal(shown);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });
  }
});
