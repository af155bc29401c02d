import { expect } from 'chai';
import { Assistant } from '../../sandbox/language/editor/assistant.ts';
import { Vocabulary } from '../../sandbox/language/editor/vocabulary.ts';
import {
  completionList,
  documentSymbols,
  formatEdits,
  formatRangeEdits,
  hoverOf,
  signatureHelp,
} from './component-answers.ts';
import { TextLines } from './positions.ts';

const vocabulary = new Vocabulary();
const TEXT = '(ns main)\r\n(defn größe "*Counts* 😀." [xs] (count xs))\r\n(def 😀x (größe []))\r\n';

/** The text after the edits of an answer. */
function after(text: string, edits: ReturnType<typeof formatEdits>): string {
  const lines = new TextLines(text, 'utf-16');
  return (edits ?? []).reduce(
    (made, { range, newText }) =>
      made.slice(0, lines.offsetAt(range.start)) + newText + made.slice(lines.offsetAt(range.end)),
    text,
  );
}

describe('answers about a component', () => {
  const assistant = new Assistant(TEXT, vocabulary);
  const lines = new TextLines(TEXT, 'utf-16');

  it('complete in place of the token, in the order of the offer', () => {
    const { items, isIncomplete } = completionList(assistant, lines, TEXT.lastIndexOf('öße'));
    expect(isIncomplete).to.equal(true);
    expect(items.map(({ label }) => label)).to.include('größe');
    const keys = items.map(({ sortText = '' }) => sortText);
    expect(keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)).to.equal(true);
    const item = items.find(({ label }) => label === 'größe');
    expect(item?.textEdit).to.deep.equal({
      newText: 'größe',
      range: { start: { line: 2, character: 10 }, end: { line: 2, character: 15 } },
    });
    expect(item?.documentation).to.deep.equal({ kind: 'markdown', value: '\\*Counts\\* 😀.' });
  });

  it('explain a name, and escape what its author wrote', () => {
    const hover = hoverOf(assistant, lines, TEXT.lastIndexOf('größe') + 2);
    expect(hover?.range).to.deep.equal({ start: { line: 2, character: 10 }, end: { line: 2, character: 15 } });
    expect(JSON.stringify(hover?.contents))
      .to.include('(größe xs)')
      .and.include(String.raw`\\*Counts`);
    expect(hoverOf(assistant, lines, 0)).to.equal(null);
  });

  it('say which argument of a call comes', () => {
    const help = signatureHelp(assistant, TEXT.lastIndexOf('[]'));
    expect(help).to.deep.include({ activeSignature: 0, activeParameter: 0 });
    expect(help?.signatures[0]?.label).to.equal('(größe xs)');
  });

  it('list the definitions with their places', () => {
    expect(
      documentSymbols(assistant, lines).map(({ name, selectionRange }) => [name, selectionRange.start]),
    ).to.deep.equal([
      ['main', { line: 0, character: 4 }],
      ['größe', { line: 1, character: 6 }],
      ['😀x', { line: 2, character: 5 }],
    ]);
  });

  const LAYOUTS: readonly (readonly [title: string, text: string, expected: string])[] = [
    ['nothing of a text that is laid out', '(f 1)\n', '(f 1)\n'],
    ['line ends of Windows', '(do\r\n(f))\r\n', '(do\r\n  (f))\r\n'],
    ['a byte order mark', '\uFEFF( f )', '\uFEFF(f)\n'],
    ['characters of two units', '(f "😀"  "😁" )\n', '(f "😀" "😁")\n'],
  ];
  for (const [title, text, expected] of LAYOUTS)
    it(`lay out ${title}`, () => {
      expect(after(text, formatEdits(new TextLines(text, 'utf-16')))).to.equal(expected);
    });

  it('lay out the forms that a range touches, and no others', () => {
    const text = '( a )\n( b )\n( c )\n';
    const edits = formatRangeEdits(new TextLines(text, 'utf-16'), 8, 9);
    expect(after(text, edits)).to.equal('( a )\n(b)\n( c )\n');
    expect(formatRangeEdits(new TextLines(' \n', 'utf-16'), 0, 1)).to.deep.equal([]);
  });

  it('lay out nothing that cannot be read', () => {
    expect(formatEdits(new TextLines('(f', 'utf-16'))).to.equal(null);
    expect(formatRangeEdits(new TextLines('(a)\n(f]', 'utf-16'), 5, 6)).to.equal(null);
  });
});
