import { expect } from 'chai';
import { exactJson, exactLines, exactText, visibleJson, visibleLines, visibleText } from './visible-text.ts';

describe('text that a person may see (first-day.md §6)', () => {
  const acting = [
    '\u0000',
    '\u0007',
    '\u001b',
    '\u007f',
    '\u0080',
    '\u009b',
    '\u009d',
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\ufeff',
    '\ud800',
    '\udfff',
  ];

  it('shows each character that acts by its number', () => {
    for (const character of acting) {
      const number = `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
      expect(visibleText(`a${character}b`)).to.equal(`a${number}b`);
      expect(visibleLines(`a${character}b`)).to.equal(`a${number}b`);
    }
  });

  it('leaves all others alone', () => {
    const text = 'é 😀 Ω שלום مرحبا \u200d\u0301 ⟨x⟩';
    expect([visibleText(text), visibleLines(text), visibleJson(text)]).to.deep.equal([text, text, text]);
  });

  it('keeps lines and tabs where there may be some, and a carriage return only before a line feed', () => {
    expect(visibleLines('a\tb\r\nc\rd\u2028e')).to.equal('a\tb\nc⟨U+000D⟩d⟨U+2028⟩e');
    expect(visibleText('a\tb\r\nc\rd\u2028e\u0085f')).to.equal('a b c d e f');
  });

  it('writes JSON of the same value', () => {
    const value = { [`k${acting.join('.')}`]: [acting.join('-')] };
    const shown = visibleJson(`${JSON.stringify(value)}\n`);
    expect(JSON.parse(shown)).to.deep.equal(value);
    expect(shown).to.match(/^[\u0020-\u007e]*\n$/);
  });
});

describe('text that a person decides about (approvals.md §3)', () => {
  /** Soft hyphen, joiners, fillers, variation selectors, tags: texts that differ in them alone look the same. */
  const invisible = [
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\u2063',
    '\u3164',
    '\ufe00',
    '\ufe0f',
    '\uffa0',
    '\ufff9',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e0100}',
    '\u001b',
    '\u202e',
    '\ud800',
  ];

  it('shows each character that cannot be seen by its number', () => {
    for (const character of invisible) {
      const number = `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
      expect(exactText(`a${character}b`)).to.equal(`a${number}b`);
      expect(exactLines(`a${character}b`)).to.equal(`a${number}b`);
    }
  });

  it('leaves what can be seen alone, and lines where there may be some', () => {
    const text = 'é 😀 Ω שלום مرحبا e\u0301 ⟨x⟩';
    expect([exactText(text), exactLines(text), exactJson(text)]).to.deep.equal([text, text, text]);
    expect([exactText('a\r\nb\tc'), exactLines('a\r\nb\tc')]).to.deep.equal(['a b c', 'a\nb\tc']);
  });

  it('writes JSON of the same value', () => {
    const value = { [`k${invisible.join('.')}`]: [invisible.join('-')] };
    const shown = exactJson(JSON.stringify(value));
    expect(JSON.parse(shown)).to.deep.equal(value);
    expect(shown).to.match(/^[\u0020-\u007e]*$/);
  });
});
