/**
 * Writes the golden answers anew (evidence.md §7), over runs of the built program: after a change of what answers say,
 * `node supervisor/test/analysis/record.ts`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allAnswers, normalised } from './answers.ts';
import { askOver, makeEvidence, memoryEvidence } from './captured.ts';

const bothAnalyses = await askOver(memoryEvidence(await makeEvidence()));
const golden = {
  public: normalised(await allAnswers(bothAnalyses.public)),
  private: normalised(await allAnswers(bothAnalyses.private)),
};
await writeFile(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(golden, null, 1)}\n`);
