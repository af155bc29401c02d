import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { guestUnderTest } from '../../sandbox/language/testing/guest-under-test.ts';
import { likeness } from './alike.ts';
import { evaluationOf, type Half, programs, recordingPath } from './table.ts';

const HALVES = ['warm', 'measure'] as const satisfies readonly Half[];
/** What any two programs of one language share stays below; a renamed copy is at 1. */
const MOST_ALIKE = 0.5;

/** By name, from what real Clojure gave: value and what it wrote. */
function recorded(half: Half): ReadonlyMap<string, readonly [value: string, out: string]> {
  return new Map(
    readFileSync(recordingPath(half), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const { name, value, out }: { name: string; value: string; out: string } = JSON.parse(line);
        return [name, [value, out.replace(/\n$/, '')]];
      }),
  );
}

for (const half of HALVES) {
  describe(`the programs of the half "${half}"`, () => {
    const expected = recorded(half);
    const all = programs(half);

    it('are 120 or more, each with a name of its own', () => {
      expect(all.length).to.be.at.least(120);
      expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length);
    });

    it('are recorded, and nothing else is', () => {
      expect([...expected.keys()]).to.deep.equal(all.filter(({ own }) => own === null).map(({ name }) => name));
    });

    for (const program of all) {
      it(`${program.name} gives in a mission what real Clojure gave, or says itself`, () => {
        const reply = guestUnderTest().evaluate(program.source, {
          ...evaluationOf(program),
          commit: { memory_bytes: 2_000_000, history_bytes: 1_000_000 },
          continuation: null,
        });
        if (reply.outcome === 'evaluation_error') throw new Error(reply.fault.message);
        expect([reply.value, reply.prints.join('\n')]).to.deep.equal(expected.get(program.name) ?? [program.own, '']);
      });
    }
  });
}

describe('the two halves', () => {
  it('have no program in common, and none that is alike', () => {
    const warm = programs('warm');
    const alike = programs('measure').flatMap((measured) =>
      warm
        .filter((other) => likeness(measured, other) > MOST_ALIKE)
        .map((other) => `${measured.name} and ${other.name}`),
    );
    expect(alike).to.deep.equal([]);
  });

  it('would show a program that was copied and renamed', () => {
    const [program] = programs('warm');
    if (program === undefined) throw new Error('no programs');
    const copy = {
      ...program,
      source: program.source.replaceAll('paid', 'settled').replaceAll('region', 'area').replaceAll('"north"', '"west"'),
    };
    expect(likeness(program, copy)).to.be.above(MOST_ALIKE);
  });
});
