import { expect } from 'chai';
import { associate, type EvaluatedProgram, type OfferedProgram } from './associate.ts';

const offer = (exchange: number, sequence: number, text = 'p'): OfferedProgram => ({ exchange, sequence, text });
const run = (evaluationId: string, sequence: number, text = 'p'): EvaluatedProgram => ({
  evaluationId,
  sequence,
  text,
});

describe('the answer that a program came from (evidence.md §7, "Turns")', () => {
  const cases: readonly (readonly [string, readonly OfferedProgram[], readonly EvaluatedProgram[], object])[] = [
    [
      'is the only earlier one of its text',
      [offer(0, 1), offer(1, 3, 'q')],
      [run('a', 2)],
      { a: { exchanges: [0], isExact: true } },
    ],
    ['is none that came later', [offer(0, 5)], [run('a', 2)], {}],
    ['is none of another text', [offer(0, 1, 'q')], [run('a', 2)], {}],
    [
      'is in doubt between two',
      [offer(0, 1), offer(1, 2)],
      [run('a', 3)],
      { a: { exchanges: [0, 1], isExact: false } },
    ],
    [
      'is known of two programs of two answers, by their order',
      [offer(0, 1), offer(1, 2)],
      [run('a', 3), run('b', 4)],
      { a: { exchanges: [0], isExact: true }, b: { exchanges: [1], isExact: true } },
    ],
    [
      'is known where the other came too late',
      [offer(0, 1), offer(1, 5)],
      [run('a', 3), run('b', 6)],
      { a: { exchanges: [0], isExact: true }, b: { exchanges: [1], isExact: true } },
    ],
    [
      'is exact where one answer offered the text twice',
      [offer(0, 1), offer(0, 1)],
      [run('a', 3)],
      { a: { exchanges: [0], isExact: true } },
    ],
    [
      'is in doubt for all where a program has another origin',
      [offer(0, 1)],
      [run('a', 3), run('b', 4)],
      { a: { exchanges: [0], isExact: false }, b: { exchanges: [0], isExact: false } },
    ],
    [
      'is in doubt in a row of three for two',
      [offer(0, 1), offer(1, 2), offer(2, 3)],
      [run('a', 4), run('b', 5)],
      { a: { exchanges: [0, 1], isExact: false }, b: { exchanges: [1, 2], isExact: false } },
    ],
  ];
  for (const [what, offers, programs, wanted] of cases) {
    it(what, () => expect(Object.fromEntries(associate(offers, programs))).to.deep.equal(wanted));
  }
});
