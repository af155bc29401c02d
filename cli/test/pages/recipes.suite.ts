/**
 * The recipes of the documentation: each is a section of its own, whose files are written into an empty directory and
 * whose commands are typed there. What they print is what the page shows.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/guides');
/** What a reader has to copy of one recipe; more is an example. */
const LINES_MAX = 40;
/** Kinds of questions, and recipes. */
const LEAST = { pages: 4, recipes: 30 };
const SEPARATOR = '\u0001';
/** Printed before each command. */
const PROMPT = '$ ';

interface Block {
  /** Language, and the file that it is. */
  readonly info: readonly string[];
  readonly text: string;
}

interface Recipe {
  readonly title: string;
  readonly blocks: readonly Block[];
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info = '', block = '']) => ({
    info: info.split(' '),
    text: block,
  }));
}

/** The manifest that a page gives for all of its recipes (null: they need none), and further files for all. */
function recipesOf(page: string): {
  readonly manifest: string | null;
  readonly shared: readonly Block[];
  readonly recipes: readonly Recipe[];
} {
  const [before = '', ...sections] = page.split(/^## /m);
  return {
    manifest: blocksOf(before).find(({ info }) => info[0] === 'json')?.text ?? null,
    shared: blocksOf(before).filter(({ info }) => info[1] !== undefined),
    recipes: sections.map((section) => ({ title: section.split('\n', 1)[0] ?? '', blocks: blocksOf(section) })),
  };
}

/** What the commands of a block print, each after its line. */
function typed(block: string, directory: string): string {
  const commands = block.split('\n').flatMap((line) => (line.startsWith(PROMPT) ? [line.slice(PROMPT.length)] : []));
  const script = ['set -e', ...commands.flatMap((command) => [command, `printf '${SEPARATOR}'`])].join('\n');
  const PATH = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  const said = execFileSync('sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH, HOME: directory, LC_ALL: 'C' },
  }).split(SEPARATOR);
  return commands.map((command, index) => `${PROMPT}${command}\n${said[index] ?? ''}`).join('');
}

describe('the recipes', () => {
  const pages = readdirSync(folder)
    .filter((name) => name.startsWith('recipes-'))
    .map((name) => ({ name, ...recipesOf(readFileSync(join(folder, name), 'utf8')) }));

  it('are as many as people ask for, none longer than what one copies', () => {
    const recipes = pages.flatMap((page) => page.recipes);
    expect(pages.length).to.be.at.least(LEAST.pages);
    expect(recipes.length).to.be.at.least(LEAST.recipes);
    for (const { title, blocks } of recipes) {
      const copied = blocks.flatMap(({ text }) => text.trimEnd().split('\n'));
      expect(copied.length, title).to.be.within(1, LINES_MAX);
    }
  });

  for (const { name, manifest, shared, recipes } of pages)
    for (const { title, blocks } of recipes)
      it(`${name}: ${title}`, () => {
        const directory = mkdtempSync(join(tmpdir(), 'svc-recipe-'));
        try {
          if (manifest !== null) writeFileSync(join(directory, 'svc.json'), manifest);
          for (const { info, text } of [...shared, ...blocks]) {
            const [language, file] = info;
            if (file !== undefined) writeFileSync(join(directory, file), text);
            else if (language === 'console') expect(typed(text, directory)).to.equal(text);
          }
          expect(blocks.some(({ info }) => info.join(' ') === 'console')).to.equal(true);
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      });
});
