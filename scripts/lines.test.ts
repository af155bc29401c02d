import { expect } from 'chai';
import { longLines } from './lines.ts';

describe('long lines', () => {
  const wide = 'x'.repeat(121);
  const words = 'word '.repeat(24);

  it('have more than 120 characters, however many bytes these are', () => {
    expect(longLines(` * ${'§'.repeat(117)}`)).to.deep.equal([]);
    expect(longLines(` * ${'§'.repeat(118)}`)).to.deep.equal([1]);
  });

  it('are comments, whatever they quote', () => {
    const comments = `/** ${wide}\n * ${wide}\n */\n// ${wide}\n  /* ${wide} */\n;; "${words}"`;
    expect(longLines(comments)).to.deep.equal([1, 2, 4, 5, 6]);
  });

  it('are code, styles, and lines of a text of several lines', () => {
    expect(longLines(`f(${'a, '.repeat(50)});`)).to.deep.equal([1]);
    expect(longLines(`const query = \`\n  select ${words}\`;`)).to.deep.equal([2]);
    expect(longLines(`f('a', ${'a, '.repeat(50)});`), 'a short text excuses nothing').to.deep.equal([1]);
  });

  it('are not those that one text makes long', () => {
    for (const line of [
      `const advice = '${words}';`,
      `it('${words}', async () => {`,
      `(fail "${words}")`,
      `  "${words}`,
      `return \`\${name}: ${words}\`;`,
      `const BEGIN = \`${words}`,
      `const WORDS = /${words}|\\/|[/]/iu;`,
    ]) {
      expect(longLines(line), line).to.deep.equal([]);
    }
  });
});
