import { expect } from 'chai';
import type { FaultPlace } from '../../supervisor/documents/explain/explanation.ts';
import { explanationLines, suggestionOf } from './explanation.ts';

const place: FaultPlace = { line: 12, column: 3, key: '"worflow"', unknownKey: 'worflow', allowed: ['version', 'workflow', 'input'] };

describe('the place of a fault at a terminal (documents.md §14)', () => {
  it('shows the key alone, with a caret and the nearest allowed name', () => {
    expect(explanationLines({ file: 'app/svc.json', place, further: [] })).to.deep.equal([
      '  at app/svc.json:12:3',
      '  12 | "worflow"',
      '     | ^^^^^^^^^ did you mean workflow?',
    ]);
  });

  it('shows a position alone where there is no key', () => {
    expect(explanationLines({ file: 'main.clj', place: { ...place, key: null, unknownKey: null, allowed: [] }, further: [] })).to.deep.equal([
      '  at main.clj:12:3',
    ]);
  });

  it('lists further faults with their pointers', () => {
    const further = [{ ...place, line: 20, key: '"entry"', unknownKey: null, allowed: [], message: 'it violates rule type', path: '/workflow/entry' }];
    expect(explanationLines({ file: 'svc.json', place: null, further })).to.deep.equal([
      'also svc.json:20:3: it violates rule type at /workflow/entry',
      '  20 | "entry"',
      '     | ^^^^^^^',
    ]);
  });

  it('guesses from the allowed names alone, only near ones, and at the first fault that has any', () => {
    const guess = (...places: readonly FaultPlace[]) => {
      const [first = null, ...others] = places;
      return suggestionOf({ file: 'svc.json', place: first, further: others.map((one) => ({ ...one, message: 'm', path: '' })) });
    };
    expect(guess(place)).to.equal('did you mean workflow?');
    expect(guess({ ...place, unknownKey: 'frobnicate' })).to.equal(null);
    expect(guess({ ...place, unknownKey: 'frobnicate' }, place)).to.equal('did you mean workflow?');
    expect(guess()).to.equal(null);
  });

  it('lets no key write to the terminal, and cuts a long one', () => {
    const [, shown = '', caret = ''] = explanationLines({ file: 'a\u001b[2J', place: { ...place, key: `"\u001b[31m\n\u202e${'x'.repeat(5000)}"` }, further: [] });
    expect(shown).to.match(/^ {2}12 \| " \[31m {2}x+…$/u);
    expect(shown.length).to.be.below(70);
    expect(caret).to.match(/^ {5}\| \^{60}/u);
    expect(explanationLines({ file: 'a\u001b[2J', place, further: [] })[0]).to.equal('  at "a\\u001b[2J":12:3');
  });
});
