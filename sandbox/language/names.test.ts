import { expect } from 'chai';
import { FORMS, LATER, LEFT_OUT, REQUIRED } from './testing/names.ts';
import { guestUnderTest } from './testing/guest-under-test.ts';
import { newSession } from './link/new-session.ts';

interface Arities {
  readonly fixed: readonly number[];
  readonly variadicFrom: number | null;
}

/** `2`, `1-3`, `0+`, `3|5` and `` as numbers of arguments. */
function aritiesOf(text: string): Arities {
  if (text === '') return { fixed: [], variadicFrom: null };
  if (text.endsWith('+')) return { fixed: [], variadicFrom: Number.parseInt(text, 10) };
  const [from = 0, to = from] = text.split('-').map(Number);
  if (text.includes('|')) return { fixed: text.split('|').map(Number), variadicFrom: null };
  return { fixed: Array.from({ length: to - from + 1 }, (_, index) => from + index), variadicFrom: null };
}

/** Whether a function takes exactly these counts, however it divides them into arities. */
function takesTheSame(arities: Arities, wanted: Arities): boolean {
  const takes = ({ fixed, variadicFrom }: Arities, count: number): boolean =>
    fixed.includes(count) || (variadicFrom !== null && count >= variadicFrom);
  return Array.from({ length: 30 }, (_, count) => count).every(
    (count) => takes(arities, count) === takes(wanted, count),
  );
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

describe('the names of the language (functions.md)', () => {
  const { builtins } = newSession();
  const guest = guestUnderTest();

  for (const [prefix, text] of Object.entries(REQUIRED)) {
    it(`has those of ${prefix}, with these arities and a text`, () => {
      const wrong: string[] = [];
      for (const entry of text.trim().split(/,\s+/)) {
        const [name = '', arities = ''] = entry.split(/\s+/);
        const found = builtins.get(`${prefix}/${name}`);
        if (found === undefined) wrong.push(`${name} is missing`);
        else if (!takesTheSame(found.arities, aritiesOf(arities)))
          wrong.push(`${name}: ${JSON.stringify(found.arities)}, not ${arities}`);
        else if (!/^[A-Z].*\.$/s.test(found.doc)) wrong.push(`${name}: ${found.doc}`);
      }
      expect(wrong).to.deep.equal([]);
    });

    it(`resolves those of ${prefix} as values`, () => {
      const prefixText = prefix === 'svc.core' ? '' : `${prefix}/`;
      const names = text
        .trim()
        .split(/,\s+/)
        .map((entry) => `${prefixText}${entry.split(/\s+/)[0] ?? ''}`);
      expect(guest.evaluate(`(count [${names.join(' ')}])`)).to.include({ value: String(names.length) });
    });
  }

  it('documents every form', () => {
    for (const name of words(FORMS)) {
      const reply = guest.evaluate(`(doc ${name})`);
      expect(reply.outcome, name).to.equal('continued');
      expect(reply.prints.join('\n'), name)
        .to.contain(name)
        .and.to.have.length.above(name.length + 10);
      expect(reply.prints.join('\n'), name).not.to.contain('No documentation');
    }
  });

  for (const [what, text, pattern] of [
    ['is to come later', LATER, /not supported yet; .+/],
    ['stays out', LEFT_OUT, /\(.+\)|;.+/],
  ] as const) {
    it(`refuses by name what ${what}, alone and called`, () => {
      for (const name of words(text)) {
        for (const source of [name, `(${name} 1)`]) {
          const reply = guest.evaluate(source);
          const fault = reply.outcome === 'evaluation_error' ? reply.fault : null;
          expect(fault?.exception_class, source).to.equal(null);
          expect(['unbound_var', 'invalid_form'], `${source}: ${fault?.reason}`).to.include(fault?.reason);
          expect(fault?.message, source).to.match(pattern).and.to.contain(name);
        }
      }
    });
  }
});
