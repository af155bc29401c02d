import { expect } from 'chai';
import { byLetters } from './letter-keys.ts';

const [LEFT, RIGHT, DELETE, BACK] = ['\u001b[D', '\u001b[C', '\u001b[3~', '\u007f'];
const FAMILY = '👨\u200d👩\u200d👧';

/** The keys that an editor gets whose line is `before|after`. */
function keysAfter(keys: string, text: string): readonly string[] {
  const cursor = text.indexOf('|');
  return [...byLetters(keys, () => ({ line: text.replace('|', ''), cursor }))];
}

describe('keys of one letter each', () => {
  const rows: readonly (readonly [what: string, keys: string, text: string, expected: readonly string[]])[] = [
    ['a plain letter', LEFT, 'ab|', [LEFT]],
    ['nothing there', LEFT, '|', [LEFT]],
    ['an emoji of several, to the left', LEFT, `a${FAMILY}|b`, [LEFT.repeat(5)]],
    ['an emoji of several, to the right', RIGHT, `|${FAMILY}b`, [RIGHT.repeat(5)]],
    ['one that is deleted', DELETE, `a|${FAMILY}`, [DELETE.repeat(5)]],
    ['one that is taken back', BACK, `${FAMILY}|`, [BACK.repeat(5)]],
    ['a letter with its accent', BACK, 'e\u0301|', [BACK.repeat(2)]],
    ['a flag', BACK, '🇩🇪|', [BACK.repeat(2)]],
    ['text between keys', `x${BACK}y`, 'a|', ['x', BACK, 'y']],
    ['text alone', 'xyz', 'a|', ['xyz']],
    ['a letter of very many parts', BACK, `a${'\u0301'.repeat(200)}|`, [BACK.repeat(64)]],
  ];
  for (const [what, keys, text, expected] of rows) {
    it(what, () => expect(keysAfter(keys, text)).to.deep.equal(expected));
  }
});
