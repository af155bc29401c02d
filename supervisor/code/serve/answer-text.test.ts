import { expect } from 'chai';
import { failureText, markedLine, printedText } from './answer-text.ts';

const FACTS = { runRef: 'cmd-1', prints: [], calls: [], hasEvidence: true };

describe('what whoever wrote a program is told (code-mode.md §5; §9, 33 and 34)', () => {
  it('has the line at fault with a mark, behind tabs and astral characters', () => {
    expect(markedLine('a\nb\n\t(str "🙂" x)', { line: 3, column: 11 })).to.deep.equal([
      '\t(str "🙂" x)',
      '\t         ^',
    ]);
    const [shown = '', mark = ''] = markedLine(`${'x'.repeat(500)}!`, { line: 1, column: 501 });
    expect([Array.from(shown).length <= 160, shown[mark.length - 1]]).to.deep.equal([true, '!']);
  });

  it('says what was called, that definitions stay, and which run it was', () => {
    const error = { kind: 'unbound_symbol', message: 'no x', place: { line: 1, column: 2 }, remedy: 'define it' };
    const calls = [{ name: 'a.b', n: 2, errors: 1 }];
    expect(failureText({ ...FACTS, calls, kind: 'error', error }, '(x)').split('\n')).to.deep.equal([
      'unbound_symbol: no x (1:2)',
      '(x)',
      ' ^',
      'remedy: define it',
      '2 calls were made before it (a.b 2, 1 failed); definitions are unchanged',
      'run_ref: cmd-1',
    ]);
    expect(failureText({ ...FACTS, kind: 'failed', value: 1, text: '1' }, '')).to.match(/^failed: 1\nno call was made/);
  });

  it('shows the head and the tail of what was printed, and nothing that acts', () => {
    const whole = printedText(['head', 'x'.repeat(10_000), 'tail\u001b[31m']);
    expect(whole)
      .to.match(/^head/)
      .and.match(/tail⟨U\+001B⟩\[31m$/)
      .and.match(/;; cut: \d+ of \d+ characters/);
    expect(whole.length).to.be.at.most(4096);
  });
});
