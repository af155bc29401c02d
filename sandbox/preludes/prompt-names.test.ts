/** The names that the agent's system prompt lists are those of the language's own tables (agent-library.md §7). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LIBRARY_NAMES, LIBRARY_PREFIXES, libraryNamed } from '../language/analyser/libraries.ts';
import { formEntries } from '../language/link/form-docs.ts';
import { newSession } from '../language/link/new-session.ts';
import { EXTENSIONS } from '../runtime/builtins/areas.ts';

/** The source as a model reads it: with lines that are texts of their own as lines of one. */
const TEXT = readFileSync(join(import.meta.dirname, 'agent.prompt.clj'), 'utf8')
  .replaceAll(/\\n"\n\s*"/gu, '\n')
  .replaceAll(String.raw`\"`, '"');

/** Words between two parts of the prompt that stand on one line. */
function listed(before: string, after: string): readonly string[] {
  const from = TEXT.indexOf(before);
  const to = TEXT.indexOf(after, from);
  if (from === -1 || to === -1) throw new Error(`the prompt has no list between ${before} and ${after}`);
  return TEXT.slice(from + before.length, to)
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

describe('names in the system prompt', () => {
  const { builtins } = newSession();
  const forms = new Set(formEntries().map(({ name }) => name));
  const isKnown = (name: string): boolean =>
    forms.has(name) ||
    builtins.get(`clojure.core/${name}`) !== undefined ||
    builtins.get(`${EXTENSIONS}/${name}`) !== undefined;

  it('forms of the language are forms, whichever way two of them are written as one', () => {
    const names = listed('svc-lisp is Clojure, bounded: ', 'destructuring,').flatMap((word) => word.split('/'));
    expect(names).to.have.lengthOf.above(10);
    expect(names.filter((name) => !isKnown(name))).to.deep.equal([]);
  });

  // Printing for people is no part of what an agent is asked for: its library is left out to keep the prompt short.
  it('prefixes are the shortest of every library but those whose names are written bare', () => {
    const shortest = LIBRARY_NAMES.filter(
      (library) => !['clojure.core', 'clojure.pprint', 'regex'].includes(library),
    ).map((library) => LIBRARY_PREFIXES.find((prefix) => libraryNamed(prefix) === library));
    expect(listed('Prefixes without require: ', '. Regexes').map((word) => word.replace(/\/$/, ''))).to.have.members(
      shortest,
    );
  });

  it('what is said to be added is added', () => {
    const names = listed('Added: ', '.\n');
    expect(names).to.have.lengthOf.above(3);
    expect(
      names.filter(
        (name) =>
          builtins.get(`${EXTENSIONS}/${name}`) === undefined || builtins.get(`clojure.core/${name}`) !== undefined,
      ),
    ).to.deep.equal([]);
  });

  for (const part of ['rules', 'language', 'exploring-style', 'terminal-style', 'discovery', 'examples']) {
    it(`what the part ${part} calls can be called`, () => {
      const [text = ''] = new RegExp(String.raw`\(def \^:private ${part}\n[^]*?"\)+\n`).exec(TEXT) ?? [];
      const called = [...text.slice(1).matchAll(/\(([a-z][a-z-]*)(?=[ )])/g)].map(([, name = '']) => name);
      expect(called).to.have.lengthOf.above(0);
      expect(called.filter((name) => !isKnown(name))).to.deep.equal([]);
    });
  }
});
