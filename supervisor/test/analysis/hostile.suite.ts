import { expect } from 'chai';
import { allAnswers } from './answers.ts';
import { SECRET } from './applications.ts';
import { askOver, makeEvidence, memoryEvidence, type Evidence } from './captured.ts';
import { mutated, random } from './mutated.ts';

/** Mutated captures: some thousands, or as many as asked for. */
const COUNT = Number(process.env['SVC_ANALYSIS_FUZZ'] ?? 2000);
/** One test each, so that a slow machine has time for all of them. */
const PORTION = 500;
const WORDS = new Set([
  'not_found',
  'run_isolated',
  'evidence_unavailable',
  'source_changed',
  'result_limit_exceeded',
  'malformed_source',
  'source_limit_exceeded',
  'source_unavailable',
]);

describe('captures of damaged and foreign files (evidence.md §5, §6)', () => {
  let evidence: Evidence;
  before(async () => {
    evidence = await makeEvidence();
  });

  for (let first = 0; first < COUNT; first += PORTION) {
    it(`are answered or refused, and publicly without a private value: seeds ${first} to ${Math.min(COUNT, first + PORTION) - 1}`, async () => {
      for (let seed = first; seed < Math.min(COUNT, first + PORTION); seed += 1) {
        const files = memoryEvidence(mutated(evidence, random(seed)));
        const bothAnalyses = await askOver(files);
        const open = await allAnswers(bothAnalyses.public);
        const closed = await allAnswers(bothAnalyses.private);
        expect(JSON.stringify(open), `seed ${seed}`).not.to.include(SECRET);
        for (const answer of [...Object.values(open), ...Object.values(closed)])
          if (typeof answer === 'string') expect(WORDS, `seed ${seed}: ${answer}`).to.include(answer);
      }
    });
  }

  it('are the same answers for the same bytes', async () => {
    const over = async () => allAnswers((await askOver(memoryEvidence(mutated(evidence, random(7))))).private);
    expect(await over()).to.deep.equal(await over());
  });

  it('are refused where a file changes while it is read, and a record where its file changes later', async () => {
    const [inspection = ''] = evidence.inspection.keys();
    const runId = inspection.replace('.svcins', '');
    const files = memoryEvidence(evidence);
    let reads = 0;
    const changing = {
      ...files,
      facts: async (path: string) => {
        const facts = await files.facts(path);
        if (!path.endsWith('.jsonl') || facts === null) return facts;
        reads += 1;
        return { ...facts, modified: BigInt(reads) };
      },
    };
    expect((await askOver(changing)).public).to.equal('source_changed');
    const later = new Map(evidence.inspection);
    const bothAnalyses = await askOver(memoryEvidence({ ...evidence, inspection: later }));
    if (typeof bothAnalyses.private === 'string') throw new Error(bothAnalyses.private);
    const reading = async () => (await allAnswers(bothAnalyses.private))[`read ${runId} prelude_sources`];
    expect(await reading()).to.have.property('items');
    later.get(inspection)?.fill('x');
    expect(await reading()).to.equal('source_changed');
  });
});
