/**
 * Programs that pages show, and what they say that comes of them: each block is typed into a session of its own, form
 * after form. Documents are JSON.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const FOLDERS = ['docs/start', 'docs/guides', 'docs/reference'] as const;

interface Shown {
  readonly program: string;
  readonly value: string;
}

/**
 * The examples of a block: what stands before a line `;=> value`, and the value. What follows the last one gives
 * nothing that is shown.
 */
function examplesOf(block: string): readonly Shown[] {
  return block.split(/^(?=;=> )/m).reduce<{ readonly found: readonly Shown[]; readonly before: string }>(
    ({ found, before }, part) => {
      if (!part.startsWith(';=> ')) return { found, before: part };
      const end = part.indexOf('\n');
      return {
        found: [...found, { program: before.trim(), value: part.slice(';=> '.length, end === -1 ? undefined : end) }],
        before: end === -1 ? '' : part.slice(end + 1),
      };
    },
    { found: [], before: '' },
  ).found;
}

const blocksOf = (page: string, kind: string): readonly string[] =>
  page
    .matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))
    .map(([, block = '']) => block)
    .toArray();

/** Each evaluated in the session of those before; the last line that each prints. */
function evaluated(programs: readonly string[]): readonly string[] {
  const mark = '"\u2023 next"';
  const said = execFileSync(
    join(root, 'bin/svc'),
    ['repl', ...programs.flatMap((program) => ['-e', program, '-e', mark])],
    { cwd: tmpdir(), encoding: 'utf8' },
  );
  return said
    .split(`${mark}\n`)
    .slice(0, -1)
    .map((text) => text.trimEnd().split('\n').at(-1) ?? '');
}

describe('programs and documents that the pages show', () => {
  // The reference of functions has examples of its own, which real Clojure answered.
  const pages = FOLDERS.flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((name) => !name.endsWith('/functions.md'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

  for (const { name, text } of pages.filter((page) => blocksOf(page.text, 'clojure').length > 0)) {
    it(`${name} says what its programs give`, () => {
      const blocks = blocksOf(text, 'clojure').map(examplesOf);
      expect(blocks.flat()).not.to.deep.equal([]);
      for (const examples of blocks)
        expect(evaluated(examples.map(({ program }) => program))).to.deep.equal(examples.map(({ value }) => value));
    });
  }

  it('are documents that can be read', () => {
    const documents = pages.flatMap(({ name, text }) => blocksOf(text, 'json').map((block) => ({ name, block })));
    expect(documents.length).to.be.greaterThan(20);
    for (const { name, block } of documents)
      expect(
        () => {
          JSON.parse(block);
        },
        `${name}: ${block.slice(0, 80)}`,
      ).not.to.throw();
  });

  it('are fragments that are whole', () => {
    const fragments = pages.flatMap(({ text }) => blocksOf(text, 'clojure fragment'));
    expect(fragments.length).to.be.greaterThan(5);
    for (const fragment of fragments) expect(evaluated([`(quote [${fragment}\n])`]), fragment).to.have.length(1);
  });
});
