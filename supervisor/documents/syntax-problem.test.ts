import { expect } from 'chai';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { syntaxProblem } from './syntax-problem.ts';

const CASES: readonly (readonly [text: string, problem: RegExp, at: string])[] = [
  ['', /is empty/u, ''],
  ['{"a": 1', /ends too early/u, ''],
  ['{"a": "x', /ends too early/u, ''],
  ['{// s3cret\n"a": 1}', /comments/u, '//'],
  ["{'a': 1}", /double quotation marks/u, "'a"],
  ['{"a": 1,\n}', /comma stands behind the last/u, ',\n'],
  ['[1, ]', /comma stands behind the last/u, ', '],
  ['{"a": }', /value is missing/u, '}'],
  ['{"a": 1}}', /closes nothing/u, '}'],
  ['{"a": [1, 2}', /closes nothing/u, '}'],
  ['{"a": "x\ny"}', /end of its line/u, '\ny'],
  ['{"a": "\\q"}', /escape/u, '\\q'],
  ['{"a": 01}', /number is written/u, '1}'],
  ['{"a": .5}', /number is written/u, '.5'],
  ['{"a": 0x10}', /number is written/u, 'x1'],
  ['{a: 1}', /word that JSON does not have/u, 'a:'],
  ['{"a": True}', /word that JSON does not have/u, 'Tr'],
  ['{"a" 1}', /comma or a colon is missing/u, '1}'],
  ['{"a": 1 "b": 2}', /comma or a colon is missing/u, '"b'],
  ['{"a": 1e999}', /too large/u, '1e'],
];

describe('JSON that is none, in words', () => {
  for (const [text, problem, at] of CASES) {
    it(`of ${JSON.stringify(text)}`, () => {
      const bytes = new TextEncoder().encode(text);
      const parsed = parseJson(bytes, documentLimits(100));
      if (parsed.ok) throw new Error('the text is JSON');
      const reported = syntaxProblem(bytes, parsed.fault.offset);
      expect(reported.problem).to.match(problem);
      expect(text.slice(reported.offset, reported.offset + 2)).to.equal(at);
    });
  }

  it('says nothing where it knows nothing', () => {
    expect(syntaxProblem(new TextEncoder().encode('{"a": 1;}'), 7)).to.deep.equal({ problem: null, offset: 7 });
  });
});
