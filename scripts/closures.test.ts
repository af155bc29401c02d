import { expect } from 'chai';
import { statefulClosures } from './closures.ts';

const LINES = '// more\n'.repeat(60);
const FOUR = 'let a = 1; let b = 2; let c = 3; let d = 4;';
const ACQUIRED = 'const get = () => a;';

describe('functions that hold closures over state of their own', () => {
  for (const { rule, source, found } of [
    { rule: 'are found', source: `function make() { ${FOUR} ${ACQUIRED}\n${LINES}}`, found: ['make'] },
    { rule: 'are found as constants', source: `const make = () => { ${FOUR} ${ACQUIRED}\n${LINES}};`, found: ['make'] },
    {
      rule: 'are found as members',
      source: `const all = { make() { ${FOUR} ${ACQUIRED}\n${LINES}} }; class A { #make() { ${FOUR} ${ACQUIRED}\n${LINES}} }`,
      found: ['make', '#make'],
    },
    {
      rule: 'are found without a name',
      source: `export default function () { ${FOUR} ${ACQUIRED}\n${LINES}}`,
      found: ['(without a name)'],
    },
    {
      rule: 'are found inside others, which may have less',
      source: `function outer() { let e = 0; function inner() { ${FOUR} ${ACQUIRED}\n${LINES}} }`,
      found: ['inner'],
    },
    {
      rule: 'count each name that a pattern binds',
      source: `function make() { let [a, { b, x: c }] = x; let d = 4; ${ACQUIRED}\n${LINES}}`,
      found: ['make'],
    },
    {
      rule: 'do not count what their closures have, nor constants',
      source: `function make() { let a = 1, b = 2, c = 3; const e = 5; const get = () => { let d = 4; };\n${LINES}}`,
      found: [],
    },
    {
      rule: 'may have 60 lines',
      source: `function make() { ${FOUR} ${ACQUIRED}\n${'// more\n'.repeat(58)}}`,
      found: [],
    },
    {
      rule: 'are no others: a long loop may have variables',
      source: `function sum() { ${FOUR}\n${LINES}}`,
      found: [],
    },
  ]) {
    it(rule, () => {
      expect(statefulClosures('a.ts', source).map(({ name }) => name)).to.deep.equal(found);
    });
  }

  it('are shown with their place and figures', () => {
    expect(statefulClosures('a.ts', `\n\nfunction make() { ${FOUR} ${ACQUIRED}\n${LINES}}`)).to.deep.equal([
      { name: 'make', line: 3, variables: 4, lines: 62 },
    ]);
  });

  it('are read with types and elements', () => {
    const source = `function Page(): Element { ${FOUR} ${ACQUIRED}\n${LINES} return <p>{a as number}</p>; }`;
    expect(statefulClosures('a.tsx', source).map(({ name }) => name)).to.deep.equal(['Page']);
  });

  it('are not looked for in what cannot be read', () => {
    expect(() => statefulClosures('a.ts', 'function (')).to.throw('a.ts');
  });
});
