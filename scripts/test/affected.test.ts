import { expect } from 'chai';
import { chooseWithin, findAffected, findNamedFiles } from './affected.ts';
import type { Suite } from './parts.ts';

describe('the files that a file names', () => {
  const files = new Set(['a/b.ts', 'a/c/d.ts', 'scripts/child.ts', 'a/types.ts', 'a/page.clj', 'page.md', 'bin/svc']);
  const named = (text: string): readonly string[] => findNamedFiles('a/b.ts', text, (path) => files.has(path));

  it('are its imports, and what it starts or reads, by its folder or by the root', () => {
    expect(named("import { d } from './c/d.ts';\nawait import('../scripts/child.ts');")).to.deep.equal([
      'a/c/d.ts',
      'scripts/child.ts',
    ]);
    expect(named("join(import.meta.dirname, 'page.clj'); join(root, 'scripts/child.ts')")).to.deep.equal([
      'a/page.clj',
      'scripts/child.ts',
    ]);
    expect(named("join(root, 'bin/svc'); 'page.md'")).to.deep.equal(['bin/svc']);
    expect(named("import fs from 'node:fs'; 'a/gone.ts'; './b.ts'")).to.deep.equal([]);
  });

  it('are not those of which it takes types alone', () => {
    expect(named("import type {\n  A,\n} from './types.ts';\nimport { d } from './c/d.ts';")).to.deep.equal([
      'a/c/d.ts',
    ]);
  });
});

describe('the suites that a change affects', () => {
  const unit: Suite = { part: 'unit', file: 'a/a.test.ts' };
  const suite: Suite = { part: 'integration', file: 'integration/x/x.suite.ts' };
  const names = new Map([
    ['a/a.test.ts', ['a/a.ts']],
    ['a/a.ts', ['a/deep.ts']],
    [suite.file, ['a/a.ts']],
  ]);
  const affected = (...changed: readonly string[]): readonly (readonly [string, number])[] =>
    findAffected([unit, suite], changed, names).map(({ suite: { file }, steps }) => [file, steps]);

  it('are those that changed, and those that name what changed, over any number of files', () => {
    expect(affected('a/a.test.ts')).to.deep.equal([[unit.file, 0]]);
    expect(affected('a/deep.ts', suite.file)).to.deep.equal([
      [suite.file, 0],
      [unit.file, 2],
    ]);
    expect(affected('b/b.ts')).to.deep.equal([]);
  });

  it('are also suites whose folder holds a file that changed', () => {
    expect(affected('integration/x/programs/one.clj')).to.deep.equal([[suite.file, 1]]);
    expect(affected('integration/x/other.suite.ts', 'a/other.ts')).to.deep.equal([]);
  });

  it('are taken while there is time for them: the nearest first, then the quick ones', () => {
    const at = (file: string, steps: number): { suite: Suite; steps: number } => ({
      suite: { part: 'integration', file },
      steps,
    });
    const seconds: Readonly<Record<string, number>> = { near: 50, slow: 60, quick: 10, last: 30 };
    const { chosen, left } = chooseWithin(
      [at('slow', 2), at('last', 3), at('quick', 2), at('near', 1)],
      100,
      ({ file }) => seconds[file] ?? 0,
    );
    expect(chosen.map(({ file }) => file)).to.deep.equal(['near', 'quick', 'last']);
    expect(left.map(({ file }) => file)).to.deep.equal(['slow']);
    const unaffected = chooseWithin(
      [at('slow', Infinity), at('near', 9), at('quick', Infinity)],
      65,
      ({ file }) => seconds[file] ?? 0,
    );
    expect(unaffected.chosen.map(({ file }) => file)).to.deep.equal(['near', 'quick']);
  });
});
