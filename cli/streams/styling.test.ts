import { expect } from 'chai';
import { helpResult } from '../declaration/help-results.ts';
import { helpText } from './help-text.ts';
import { PLAIN_STYLING, stylingOf, wrapped } from './styling.ts';

const terminal = { isTerminal: true, columns: 60 };
const pipe = { isTerminal: false, columns: undefined };

describe('styling (cli.md §12.3)', () => {
  it('colours and wraps on a terminal only', () => {
    expect(stylingOf(terminal, {})).to.deep.equal({ colour: true, width: 60 });
    expect(stylingOf(pipe, {})).to.deep.equal(PLAIN_STYLING);
    for (const columns of [undefined, 0]) {
      expect(stylingOf({ isTerminal: true, columns }, {})).to.deep.equal({ colour: true, width: 80 });
    }
  });

  it('NO_COLOR and TERM=dumb switch colour off; FORCE_COLOR switches it on for logs', () => {
    expect(stylingOf(terminal, { NO_COLOR: '1' }).colour).to.equal(false);
    expect(stylingOf(terminal, { NO_COLOR: '' }).colour).to.equal(true);
    expect(stylingOf(terminal, { TERM: 'dumb' }).colour).to.equal(false);
    expect(stylingOf(pipe, { FORCE_COLOR: '1' }).colour).to.equal(true);
    expect(stylingOf(pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }).colour).to.equal(false);
  });

  it('wraps at words and keeps long words whole', () => {
    expect(wrapped('aaa bbb ccc', 9, 2)).to.equal('aaa bbb\n  ccc');
    expect(wrapped('x'.repeat(20), 9, 2)).to.equal('x'.repeat(20));
    expect(wrapped('aaa bbb ccc', null, 2)).to.equal('aaa bbb ccc');
  });

  it('prints piped root help with every usage line whole', () => {
    const text = helpText(helpResult('root'), 'root', PLAIN_STYLING);
    for (const line of helpResult('root').usage) expect(text).to.include(`\n  ${line}\n`);
    expect(text).to.include('svc gateway CONFIG.json');
  });

  it('keeps to the width of a terminal, but for words that are longer', () => {
    const lines = helpText(helpResult('root'), 'root', { colour: false, width: 60 }).split('\n');
    expect(lines.filter((line) => line.length > 60 && line.trim().includes(' '))).to.deep.equal([]);
  });
});
