/**
 * Visits all states of two questions that two parties decide, and plays random interleavings of more. Ends with status
 * 1 where a rule breaks:
 * `node bench/approval-interleavings.ts 100000 [FIRST SEED|random] [mixed|directory|memory]`. Of mixed ones a tenth are
 * over a directory. The first line says the seed of the first one; the line of a breach names what plays it again
 * alone: the kind and the seed.
 */
import { randomInt } from 'node:crypto';
import { exploreApprovals } from '../supervisor/service/stores/testing/approval-model.ts';
import { findBreach, playInterleaving } from '../supervisor/service/stores/testing/approval-interleavings.ts';

const [count = '100000', wished = '1', store = 'mixed'] = process.argv.slice(2);
const first = wished === 'random' ? randomInt(2 ** 31) : Number(wished);
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(Number(count)))
  throw new TypeError('give a count, and a seed or random');
process.stdout.write(`${count} interleavings, first seed ${first}, stores ${store}\n`);
const kindAt = (index: number): 'directory' | 'memory' => {
  if (store === 'directory' || store === 'memory') return store;
  if (store !== 'mixed') throw new TypeError(`no store "${store}": give mixed, directory or memory`);
  return index % 10 === 0 ? 'directory' : 'memory';
};
const startedAt = performance.now();
const explored = await exploreApprovals(
  [
    { decision: 'allow', scope: 'once', by: 'api', principal: 'ann' },
    { decision: 'deny', scope: 'once', by: 'cli', principal: 'bob' },
  ],
  { faults: 1 },
);
const exploring = ((performance.now() - startedAt) / 1000).toFixed(0);
process.stdout.write(`all ${explored.states} states, ${explored.steps} steps, no breach, ${exploring} s\n`);
const began = performance.now();
let steps = 0;
let breaches = 0;
for (let index = 0; index < Number(count); index += 1) {
  const seed = first + index;
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
