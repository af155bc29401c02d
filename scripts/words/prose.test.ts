import { expect } from 'chai';
import {
  avoidedWords,
  findAvoided,
  findAvoidedInClojure,
  findAvoidedInComments,
  findAvoidedInTexts,
  proseOf,
  readWordCount,
  readingEase,
  wordCount,
} from './prose.ts';

const STYLE = `# Words

<!-- words: read by a script -->

| Not | But |
|---|---|
| tells, told | says |
| stands in | is in |
| e.g. | for example |

<!-- end of words -->

| a told | b |
`;
const AVOIDED = avoidedWords(STYLE);
const found = (text: string) => findAvoided(text, AVOIDED).map(({ line, word }) => `${line} ${word}`);

describe('words that pages do without (docs/why/style.md)', () => {
  it('are those of the table, each with what to write', () => {
    expect(AVOIDED.map(({ instead }) => instead)).to.deep.equal(['says', 'says', 'is in', 'for example']);
    expect(() => avoidedWords('# Words\n')).to.throw('no table');
  });

  it('are found whole, whatever their case, where people read', () => {
    expect(found('It tells.\n\nWho was Told so?\nstands  in, e.g. here')).to.deep.equal([
      '1 tells',
      '3 Told',
      '4 stands  in',
      '4 e.g.',
    ]);
    expect(found('untold, teller, tell-tale, told-off, stands\nin')).to.deep.equal([]);
  });

  it('are not looked for in code, nor in what a link leads to', () => {
    expect(found('`told` and ``\n```sh\ntold\n```\n~~~\ntold\n~~~\n[x](told.md)')).to.deep.equal([]);
    expect(found('```\ntold\n```\ntold')).to.deep.equal(['4 told']);
  });
});

describe('words that comments do without', () => {
  const inComments = (source: string) =>
    findAvoidedInComments(source, AVOIDED).map(({ line, word }) => `${line} ${word}`);

  it('are found in comments of one line and of several', () => {
    expect(
      inComments("// it tells\n/** told */\nconst told = 'told';\n/**\n * `told`, told\n */\ntold();"),
    ).to.deep.equal(['1 tells', '2 told', '5 told']);
  });

  it('are not looked for in code, also after a comment', () => {
    expect(
      inComments("const a = 'told';\n// none\nconst told = '/** told';\n/* none */\ntold(); // none"),
    ).to.deep.equal([]);
  });
});

describe('words that texts of a program do without', () => {
  const inTexts = (source: string) => findAvoidedInTexts(source, AVOIDED).map(({ line, word }) => `${line} ${word}`);

  it('are found in quotes, templates and between tags', () => {
    expect(inTexts("a('it tells you');\nb(`${c} is told`);\n<p>It tells all.</p>\n  It is told\n")).to.deep.equal([
      '1 tells',
      '2 told',
      '3 tells',
      '4 told',
    ]);
  });

  it('are not looked for in names of code and in comments', () => {
    expect(inTexts("const told = 'told';\n// 'it tells'\n/**\n * 'it tells'\n */\ntold(tells);")).to.deep.equal([]);
  });
});

describe('words that programs of svc-lisp do without', () => {
  const inClojure = (source: string) =>
    findAvoidedInClojure(source, AVOIDED).map(({ line, word }) => `${line} ${word}`);

  it('are found in comments and in texts, also of several lines', () => {
    expect(inClojure(';; it tells\n(defn told\n  "Who was\n  told so."\n  [told] told) ; told')).to.deep.equal([
      '1 tells',
      '4 told',
      '5 told',
    ]);
  });

  it('are not looked for in names, in single words, and past the end of a text', () => {
    expect(inClojure('(told "told" {:told "he was \\"told\\""} \\" told) (tells \\; told)')).to.deep.equal(['1 told']);
    expect(inClojure('(str "a;b" told)')).to.deep.equal([]);
  });
});

describe('the prose of a page', () => {
  it('is its paragraphs and items, without headings, tables and code', () => {
    const page =
      '# Title here\n\nOne `code x` sentence.\n\n- an *item*\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nrun\n```\n';
    expect(proseOf(page)).to.deep.equal(['One code sentence.', 'an item.']);
    expect(wordCount('one two\n\n`three`')).to.equal(3);
  });

  it('is counted as `wc -w` does, and without code and marks', () => {
    const page = '# The `map` page\n\n- it *is* so\n\n| a | `b c` |\n|---|---|\n| d | e |\n\n```sh\nrun this\n```\n';
    expect(wordCount(page)).to.equal(24);
    expect(readWordCount(page)).to.equal(8);
  });

  it('is easier with short words in short sentences', () => {
    const easy = readingEase(['The dog ran. It saw a cat. The cat hid.']);
    const hard = readingEase(['Comprehensive documentation necessitates considerable organisational determination.']);
    expect(easy).to.be.greaterThan(90);
    expect(hard).to.be.lessThan(20);
    expect(readingEase([])).to.equal(100);
  });
});
