/**
 * Random programs on real Clojure and here: `node conformance/language/fuzz/main.ts [--minutes N] [--seed N]`.
 * Prints each difference as a small program; ends with status 1 if there was one.
 */
import { parseArgs } from 'node:util';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import { createGuest } from '../../../sandbox/guest/main.ts';
import { difference } from '../compare.ts';
import { reasonToMark } from '../reason-to-mark.ts';
import { type Reference, startReference } from '../reference.ts';
import { isRecorded, type Recorded } from '../table.ts';
import { type Term, grow, randomFrom, smaller, textOf } from './term.ts';

const BATCH = 200;
const DEPTH = 5;
/** Candidates tried per round, and rounds, before a program counts as small. */
const SHRINK_WIDTH = 60;
const SHRINK_ROUNDS = 30;

function replyHere(source: string): EvaluateReply | null {
  const guest = createGuest(() => {
    throw new Error('no tools are granted');
  });
  const request = { operation: 'evaluate', environment: 'mission', source, data: {}, tools: [], loop_iterations: null, projection: 'printed' };
  const reply: EvaluateReply | { readonly status: string } = JSON.parse(guest.handle(JSON.stringify(request)));
  return 'outcome' in reply ? reply : null;
}

/**
 * Questions that language.md answers in another way than the reference at hand: what kind of seq `drop` gives of a
 * vector (§21: Clojure 1.12), whether the seq of a sorted map is counted and what kind of seq is left of a realised one
 * (§6), and the elements of a set without repetition, for which the reference fails (§1).
 */
function isAnsweredOtherwise(source: string, recorded: Recorded): boolean {
  if (source.includes('(counted? ')) return /\((?:drop|sorted-map) /.test(source);
  if (source.includes('(list? ')) return /\((?:drop|drop-while|concat|mapcat|keys|vals|sequence|dedupe|tree-seq|split-at|split-with) /.test(source);
  return 'error' in recorded && source.includes('(distinct ') && recorded.message === 'nth not supported on this type: PersistentHashSet';
}

function verdict(source: string, answer: unknown): string | null {
  const recorded: unknown = { source, ...(typeof answer === 'object' ? answer : {}) };
  if (!isRecorded(recorded)) throw new Error(`the reference answered ${JSON.stringify(answer)}`);
  if (isAnsweredOtherwise(source, recorded) || reasonToMark(recorded) !== null || ('error' in recorded && recorded.message.includes('overflow'))) return null;
  const reply = replyHere(source);
  // What fails there may succeed here (language.md §1).
  if ('error' in recorded && reply !== null && reply.outcome !== 'evaluation_error') return null;
  return reply === null ? `${source}\n   internal fault` : difference({ area: 'fuzz', source, difference: null }, recorded, reply);
}

async function verdicts(reference: Reference, terms: readonly Term[]): Promise<(string | null)[]> {
  const sources = terms.map(textOf);
  const answers = await reference.ask(sources);
  return sources.map((source, index) => verdict(source, answers[index]));
}

/** The smallest program found that still differs, as its verdict. */
async function shrink(reference: Reference, term: Term, found: string): Promise<string> {
  let [small, text] = [term, found];
  for (let round = 0; round < SHRINK_ROUNDS; round += 1) {
    const candidates = smaller(small).slice(0, SHRINK_WIDTH).filter((other) => textOf(other).length < textOf(small).length);
    const tried = await verdicts(reference, candidates);
    const index = tried.findIndex((result) => result !== null);
    const [next, result] = [candidates[index], tried[index]];
    if (next === undefined || result === null || result === undefined) return text;
    [small, text] = [next, result];
  }
  return text;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } } });
const end = performance.now() + Number(values.minutes) * 60_000;
const random = randomFrom(Number(values.seed));
const reference = startReference();
const shown = new Set<string>();
let programs = 0;
while (performance.now() < end) {
  const terms = Array.from({ length: BATCH }, () => grow('thing', DEPTH, random));
  const results = await verdicts(reference, terms);
  programs += terms.length;
  for (const [index, term] of terms.entries()) {
    const found = results[index];
    if (found === null || found === undefined) continue;
    const small = await shrink(reference, term, found);
    if (!shown.has(small)) process.stdout.write(`${small}\n`);
    shown.add(small);
    if (performance.now() >= end) break;
  }
}
await reference.close();
process.stdout.write(`== ${programs} programs, ${shown.size} different differences, seed ${values.seed}\n`);
process.exitCode = shown.size === 0 ? 0 : 1;
