/**
 * Visits all states of two questions that two parties decide, and plays random interleavings of more. Ends with status
 * 1 where a rule breaks:
 * `node bench/approval-interleavings.ts 100000 [FIRST SEED] [mixed|directory|memory]`. Of mixed ones a tenth are over a
 * directory. The line of a breach names what plays it again alone: the kind and the seed.
 */
import { exploreApprovals } from '../supervisor/service/stores/testing/approval-model.ts';
import { findBreach, playInterleaving } from '../supervisor/service/stores/testing/approval-interleavings.ts';

const [count = '100000', first = '1', store = 'mixed'] = process.argv.slice(2);
const kindAt = (index: number): 'directory' | 'memory' => {
  if (store === 'directory' || store === 'memory') return store;
  if (store !== 'mixed') throw new TypeError(`no store "${store}": give mixed, directory or memory`);
  return index % 10 === 0 ? 'directory' : 'memory';
};
const begunAt = performance.now();
const explored = await exploreApprovals(
  [
    { decision: 'allow', scope: 'once', by: 'api', principal: 'ann' },
    { decision: 'deny', scope: 'once', by: 'cli', principal: 'bob' },
  ],
  { faults: 1 },
);
const exploring = ((performance.now() - begunAt) / 1000).toFixed(0);
process.stdout.write(`all ${explored.states} states, ${explored.steps} steps, no breach, ${exploring} s\n`);
const began = performance.now();
let steps = 0;
let breaches = 0;
for (let index = 0; index < Number(count); index += 1) {
  const seed = Number(first) + index;
  const kind = kindAt(index);
  const played = await playInterleaving(seed, kind);
  steps += played.steps;
  const breach = findBreach(played);
  if (breach === null) continue;
  breaches += 1;
  process.stdout.write(`${kind} ${seed}: ${breach}\n`);
}
const seconds = ((performance.now() - began) / 1000).toFixed(0);
process.stdout.write(`${count} interleavings, ${steps} steps, ${breaches} breaches, ${seconds} s\n`);
process.exitCode = breaches === 0 ? 0 : 1;
