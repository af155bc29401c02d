import { expect } from 'chai';
import { beginSearch, pressKey, type SearchState, type SearchStep } from './search-machine.ts';

const FORMS = ['(def b 2)', '(f a)', '(def a 1)'];
const [CTRL_C, CTRL_G, CTRL_R, BACKSPACE, LEFT] = ['\u0003', '\u0007', '\u0012', '\u007f', '\u001b'];

/** All but the last key go on. */
function press(keys: string, forms: readonly string[] = FORMS): SearchStep {
  let step: SearchStep = { kind: 'goes-on', state: beginSearch('before') };
  for (const key of keys) {
    if (step.kind === 'ended') throw new Error(`ended before ${JSON.stringify(key)}`);
    step = pressKey(step.state, key, forms);
  }
  return step;
}
const goesOn = (state: Omit<SearchState, 'before'>): SearchStep => ({
  kind: 'goes-on',
  state: { before: 'before', ...state },
});
const ended = (text: string, rest: string): SearchStep => ({ kind: 'ended', text, rest });

describe('a search through earlier forms', () => {
  for (const [rule, keys, step] of [
    ['finds the newest form that holds the text', 'def', goesOn({ query: 'def', at: 0 })],
    ['finds an older one where more is typed', 'def a', goesOn({ query: 'def a', at: 2 })],
    ['goes on to an older one', `def${CTRL_R}`, goesOn({ query: 'def', at: 2 })],
    ['stays at the oldest', `def${CTRL_R}${CTRL_R}`, goesOn({ query: 'def', at: 2 })],
    ['has found nothing before anything is typed', CTRL_R, goesOn({ query: '', at: -1 })],
    ['keeps what it found while more is typed that nothing holds', 'def ax', goesOn({ query: 'def ax', at: 2 })],
    ['looks from the newest again where a character is erased', `def a${BACKSPACE}`, goesOn({ query: 'def ', at: 0 })],
    ['erases whole characters', `😀${BACKSPACE}`, goesOn({ query: '', at: -1 })],
    ['gives what it found to the editor, with Enter', 'def\r', ended('(def b 2)', '\r')],
    ['gives it with a key that moves', `def${LEFT}`, ended('(def b 2)', LEFT)],
    ['gives what was there before where nothing was found', 'zz\r', ended('before', '\r')],
    ['gives what was there before when it is given up', `def${CTRL_C}`, ended('before', '')],
    ['is given up in two ways', `def${CTRL_G}`, ended('before', '')],
  ] as const) {
    it(rule, () => {
      expect(press(keys)).to.deep.equal(step);
    });
  }
});
