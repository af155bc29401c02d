import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allAnswers, normalised } from './answers.ts';
import { SECRET } from './applications.ts';
import { askOver, makeEvidence, memoryEvidence, type BothAnalyses } from './captured.ts';

const golden: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8'));

describe('answers over runs of the built program (evidence.md §7)', () => {
  let bothAnalyses: BothAnalyses;
  before(async () => {
    bothAnalyses = await askOver(memoryEvidence(await makeEvidence()));
  });

  for (const authority of ['public', 'private'] as const) {
    it(`are those on record, ${authority}`, async () => {
      expect(normalised(await allAnswers(bothAnalyses[authority]))).to.deep.equal(Object(golden)[authority]);
    });
  }

  it('hold what programs were given and made only where that is asked for privately', () => {
    const { public: open, private: closed } = Object(golden);
    expect(JSON.stringify(open)).not.to.include(SECRET);
    expect(JSON.stringify(closed)).to.include(SECRET);
  });
});
