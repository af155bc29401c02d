import { expect } from 'chai';
import { lastSegment, searchPages, type DocsSearch } from './search.ts';

const among =
  (pages: Readonly<Record<string, string>>) =>
  (term: string): DocsSearch =>
    searchPages(
      term,
      Object.entries(pages).map(([name, content]) => ({ name, content })),
    );

describe('a search of the documentation (cli.md §7, first-day.md §5)', () => {
  it('finds parts of words, literally, and is blind to case in any script', () => {
    const search = among({ cli: 'a.b\nAXB\nÄrger und ΣΟΦΟΣ\nstraße' });
    expect(search('A.B').matches).to.deep.equal([{ page: 'cli', line: 1, text: 'a.b', anchor: null }]);
    for (const [term, line] of [
      ['äRGER', 3],
      ['rge', 3],
      ['σοφος', 3],
      ['STRASSE', 4],
    ] as const)
      expect(
        search(term).matches.map((match) => match.line),
        term,
      ).to.deep.equal([line]);
    expect(search('c')).to.deep.equal({ matches: [], omittedMatches: 0, omittedPages: 0 });
  });

  it('finds words in any order, also where no line has all of them', () => {
    const search = among({
      apart: '# T\n\nthe budget\n\nof a replay',
      together: '# T\n\na replay has a budget',
      one: '# T\n\nonly a budget',
    });
    for (const term of ['budget replay', 'replay budget', '  replay   BUDGET '])
      expect(new Set(search(term).matches.map(({ page }) => page)), term).to.deep.equal(new Set(['together', 'apart']));
    expect(search('budget of').matches.map(({ page, line }) => [page, line])).to.deep.equal([
      ['apart', 3],
      ['apart', 5],
    ]);
  });

  it('takes words that begin with dashes', () => {
    const search = among({
      other: '# Hosts\n\nhost config, a host, a config',
      cli: '# Commands\n\n## svc run\n\n`--host-config HOST.json` names it',
    });
    expect(search('--host-config').matches).to.deep.equal([
      { page: 'cli', line: 5, text: '`--host-config HOST.json` names it', anchor: 'svc-run' },
    ]);
    expect(search('run --host-config').matches.map(({ page }) => page)).to.include('cli');
    expect(search('--').matches.map(({ page }) => page)).to.deep.equal(['cli']);
  });

  it('shows pages with such a title first, then those with a heading, then those that have more of it', () => {
    const filler = 'word '.repeat(40);
    const search = among({
      few: `\nlimit ${filler}`,
      many: `\nlimit limit limit ${filler}`,
      heading: `a line\n## The limit\n${filler}`,
      title: `# All of limit\n${filler}`,
    });
    expect([...new Set(search('limit').matches.map(({ page }) => page))]).to.deep.equal([
      'title',
      'heading',
      'many',
      'few',
    ]);
  });

  it('shows of a page the lines that say most, in their order', () => {
    const { matches } = among({ cli: 'x\nx\nx\nx\n## About x\nx' })('x');
    expect(matches.map(({ line }) => line)).to.deep.equal([1, 2, 5]);
  });

  it('shows three lines of each of ten pages, and counts the rest', () => {
    for (const [lines, pages, expected] of [
      [3, 10, [30, 0, 0]],
      [4, 10, [30, 10, 0]],
      [3, 11, [30, 3, 1]],
      [2, 9, [18, 0, 0]],
    ] as const) {
      const all = Object.fromEntries(Array.from({ length: pages }, (_, at) => [`p${at}`, 'x\n'.repeat(lines)]));
      const found = among(all)('x');
      expect([found.matches.length, found.omittedMatches, found.omittedPages]).to.deep.equal(expected);
    }
  });

  it('shows 160 characters of a line, and no part of one', () => {
    const textOf = (line: string) => among({ cli: line })('x').matches[0]?.text;
    for (const length of [159, 160]) expect(textOf(`  ${'x'.repeat(length)}  `)).to.have.length(length);
    expect(textOf('x'.repeat(161))).to.have.length(160);
    expect(textOf(`${'x'.repeat(159)}🙂`)).to.equal('x'.repeat(159));
  });

  it('has a shorter term to offer where a name has several parts', () => {
    expect(['kernel/eval', 'limits.llm_cost', 'x', 'a/', ''].map(lastSegment)).to.deep.equal([
      'eval',
      'llm_cost',
      null,
      null,
      null,
    ]);
  });
});
