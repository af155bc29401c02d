import { expect } from 'chai';
import { citationsOf, faultOf, numbersOf } from './spec-citations.ts';

function cited(text: string, own: string | null = null): readonly string[] {
  return citationsOf(text, own).map(({ file, number }) => `${file} ${number}`);
}

describe('citations of the specification', () => {
  for (const { rule, text, own = null, expected } of [
    { rule: 'a file and a number', text: '/** Steps (runtime.md §5). */', expected: ['runtime 5'] },
    { rule: 'a number of two parts, before a full stop', text: 'See providers.md §7.5.', expected: ['providers 7.5'] },
    {
      rule: 'several of one file',
      text: '(runtime.md §1 step 10, §13; §3 and §4)',
      expected: ['runtime 1', 'runtime 13', 'runtime 3', 'runtime 4'],
    },
    {
      rule: 'several files',
      text: '(cli.md §3, runtime.md §1, evidence.md §4 to §6)',
      expected: ['cli 3', 'runtime 1', 'evidence 4', 'evidence 6'],
    },
    {
      rule: 'a file at the end of a line of a comment',
      text: '/**\n * As in runtime.md\n * §9. */',
      expected: ['runtime 9'],
    },
    {
      rule: 'a bare number belongs to what was named last',
      text: "describe('x (gateway.md §3)');\nit('y (§8)');",
      expected: ['gateway 3', 'gateway 8'],
    },
    { rule: 'a bare number alone names none', text: '/** §15: options. */', expected: ['null 15'] },
    { rule: 'a sign without a number is none', text: 'every § of the code', expected: [] },
    {
      rule: 'in the specification a bare number is of the page itself',
      text: 'As documents.md §5 says. Order: §12.',
      own: 'runtime',
      expected: ['documents 5', 'runtime 12'],
    },
    {
      rule: 'in the specification a row goes on with the file',
      text: 'documents.md §5, §6 and §7',
      own: 'runtime',
      expected: ['documents 5', 'documents 6', 'documents 7'],
    },
    {
      rule: 'in the specification the word counts too',
      text: 'see section 12, and language.md section 9',
      own: 'runtime',
      expected: ['runtime 12', 'language 9'],
    },
  ]) {
    it(rule, () => {
      expect(cited(text, own)).to.deep.equal(expected);
    });
  }

  it('have a line', () => {
    expect(citationsOf('\n\nruntime.md §2', null)).to.deep.equal([{ file: 'runtime', number: '2', line: 3 }]);
  });

  it('open headings, with and without a full stop, and items of lists below them', () => {
    const page =
      '# Title\n\n1. no section\n\n## 1. One\n\n### 1.1 Part\n\n## 15 Better\n\n1. first\n2. second\n\n### Part without a number\n\n3. third\n';
    expect([...numbersOf(page)]).to.deep.equal(['1', '1.1', '15', '15.1', '15.2', '15.3']);
  });

  it('that do not open are told with the reason', () => {
    const pages = new Map([['runtime', new Set(['1'])]]);
    expect(faultOf({ file: 'runtime', number: '1', line: 1 }, pages)).to.equal(null);
    expect(faultOf({ file: 'runtime', number: '2', line: 1 }, pages)).to.equal(
      'runtime.md §2: there is no such section',
    );
    expect(faultOf({ file: 'engine', number: '2', line: 1 }, pages)).to.equal('engine.md §2: there is no engine.md');
    expect(faultOf({ file: null, number: '2', line: 1 }, pages)).to.equal('§2 names no file');
  });
});
