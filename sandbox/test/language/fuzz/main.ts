/**
 * Random programs on real Clojure and here: `node sandbox/test/language/fuzz/main.ts [--minutes N] [--seed N]`.
 * Prints each difference as a small program; ends with status 1 if there was one.
 */
import { parseArgs } from 'node:util';
import type { EvaluateReply } from '../../../../contract/sandbox-protocol.ts';
import { createGuest } from '../../../guest/main.ts';
import { difference } from '../../../../conformance/language/compare.ts';
import { reasonToMark } from '../../../../conformance/language/reason-to-mark.ts';
import { type Reference, startReference } from '../../../../conformance/language/reference.ts';
import { isRecorded, type Recorded } from '../../../../conformance/language/table.ts';
import { randomFrom } from './random.ts';
import { type Term, eagerTextOf, growProgram, smaller, textOf } from './term.ts';

const BATCH = 100;
/** Terms of the smallest and of the largest program. */
const SIZES = [6, 40] as const;
/** Candidates tried per round, and rounds, before a program counts as small. */
const SHRINK_WIDTH = 60;
const SHRINK_ROUNDS = 30;

function replyHere(source: string): EvaluateReply | null {
  const guest = createGuest(() => {
    throw new Error('no tools are granted');
  });
  const request = {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'printed',
  };
  const reply: EvaluateReply | { readonly status: string } = JSON.parse(guest.handle(JSON.stringify(request)));
  return 'outcome' in reply ? reply : null;
}

/**
 * Questions that language.md answers in another way than the reference at hand: what kind of seq `drop` gives of a
 * vector (language.md §21: Clojure 1.12), whether the seq of a sorted map is counted and what kind of seq is left of a
 * realised one (§6), and what has no places without repetition, for which the reference fails in its own way (§1).
 */
function isAnsweredOtherwise(source: string, recorded: Recorded): boolean {
  if (source.includes('(counted? ')) return /\((?:drop|sorted-map) /.test(source);
  if (source.includes('(list? '))
    return /\((?:drop|drop-while|concat|mapcat|keys|vals|sequence|dedupe|tree-seq|split-at|split-with) /.test(source);
  return (
    'error' in recorded &&
    source.includes('(distinct ') &&
    recorded.message.startsWith('nth not supported on this type: ')
  );
}

/** The name that means nothing to the reference, where that is the error. */
function unresolvedName(recorded: Recorded): string | null {
  return 'error' in recorded
    ? (/^Unable to resolve symbol: (\S+) in this context$/.exec(recorded.message)?.[1] ?? null)
    : null;
}

/** Whether a name may be used before the definition below it (language.md §8). */
function isDefined(name: string, source: string): boolean {
  return ['def', 'defn', 'defmulti'].some((form) => source.includes(`(${form} ${name} `));
}

/** What fails there may succeed here (language.md §1), but a name that nothing binds must be one of svc-lisp. */
function maySucceed(recorded: Recorded): boolean {
  const name = unresolvedName(recorded);
  return name === null || replyHere(name)?.outcome !== 'evaluation_error';
}

/** A difference, and of which kind: a smaller program must show the same kind, or it shows something else. */
interface Found {
  readonly text: string;
  readonly kind: string;
}

function kindOf(recorded: Recorded, reply: EvaluateReply | null): string {
  const here =
    reply?.outcome === 'evaluation_error'
      ? (reply.fault.exception_class ?? reply.fault.reason)
      : (reply?.outcome ?? 'fault');
  return `${'error' in recorded ? recorded.error : 'value'} and ${here}`;
}

function verdict(source: string, answer: unknown): Found | null {
  const recorded: unknown = { source, ...(typeof answer === 'object' ? answer : {}) };
  if (!isRecorded(recorded)) throw new Error(`the reference answered ${JSON.stringify(answer)}`);
  if (
    isAnsweredOtherwise(source, recorded) ||
    reasonToMark(recorded) !== null ||
    ('error' in recorded && recorded.message.includes('overflow'))
  )
    return null;
  const unresolved = unresolvedName(recorded);
  if (unresolved !== null && isDefined(unresolved, source)) return null;
  const reply = replyHere(source);
  // A name of the reference that is refused here, and told so (functions.md §11).
  if (
    reply?.outcome === 'evaluation_error' &&
    /^Unable to resolve symbol: \S+ \((?!did you mean)/.test(reply.fault.message)
  )
    return null;
  // There a variable without a value is a value (language.md §8).
  if (reply?.outcome === 'evaluation_error' && reply.fault.message.startsWith('Var is not bound')) return null;
  // Calls of built-ins are counted before anything runs (language.md §17), and the reference does not come to this one.
  if (
    reply?.outcome === 'evaluation_error' &&
    reply.fault.reason === 'arity_error' &&
    reply.fault.exception_class === null &&
    !('error' in recorded)
  )
    return null;
  if ('error' in recorded && reply !== null && reply.outcome !== 'evaluation_error' && maySucceed(recorded))
    return null;
  const text =
    reply === null
      ? `${source}\n   internal fault`
      : difference({ area: 'fuzz', source, difference: null }, recorded, reply);
  return text === null ? null : { text, kind: kindOf(recorded, reply) };
}

async function verdicts(reference: Reference, terms: readonly Term[]): Promise<(Found | null)[]> {
  const sources = terms.map(textOf);
  const answers = await reference.ask(sources);
  const found = sources.map((source, index) => verdict(source, answers[index]));
  return Promise.all(
    found.map(async (each, index) => {
      const term = terms[index];
      if (each === null || term === undefined || !each.kind.startsWith('value and ')) return each;
      // Here elements are computed that nobody looks at (A4): the reference is asked again, and computes them too.
      const [eager] = await reference.ask([eagerTextOf(term)]);
      return verdict(textOf(term), eager) === null ? null : each;
    }),
  );
}

/** The smallest program found that still differs in the same way. */
async function shrink(reference: Reference, term: Term, { text: whole, kind }: Found): Promise<string> {
  let [small, text] = [term, whole];
  for (let round = 0; round < SHRINK_ROUNDS; round += 1) {
    const candidates = smaller(small)
      .slice(0, SHRINK_WIDTH)
      .filter((other) => textOf(other).length < textOf(small).length);
    const tried = await verdicts(reference, candidates);
    const index = tried.findIndex((result) => result?.kind === kind);
    const [next, result] = [candidates[index], tried[index]];
    if (next === undefined || result === null || result === undefined) return text;
    [small, text] = [next, result.text];
  }
  return text;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
let end = performance.now() + Number(values.minutes) * 60_000;
// A run that is ended early still says how far it came.
process.once('SIGTERM', () => {
  end = performance.now();
});
const random = randomFrom(Number(values.seed));
const reference = startReference();
const shown = new Set<string>();

interface Batch {
  readonly terms: readonly Term[];
  readonly verdicts: Promise<(Found | null)[]>;
}

function begin(): Batch {
  const [least, most] = SIZES;
  const terms = Array.from({ length: BATCH }, () => growProgram(least + random() * (most - least), random));
  return { terms, verdicts: verdicts(reference, terms) };
}

/** Shows each difference once, as the smallest program found. */
async function show(terms: readonly Term[], results: readonly (Found | null)[], programs: number): Promise<void> {
  for (const [index, term] of terms.entries()) {
    const found = results[index];
    if (found === null || found === undefined) continue;
    const small = await shrink(reference, term, found);
    if (!shown.has(small)) process.stdout.write(`after ${programs + index + 1} programs: ${small}\n`);
    shown.add(small);
    if (performance.now() >= end) return;
  }
}

let programs = 0;
let batch = begin();
while (performance.now() < end) {
  // The reference works on the next ones while these are looked at.
  const next = begin();
  await show(batch.terms, await batch.verdicts, programs);
  programs += batch.terms.length;
  batch = next;
}
await show(batch.terms, await batch.verdicts, programs);
programs += batch.terms.length;
await reference.close();
process.stdout.write(`== ${programs} programs, ${shown.size} different differences, seed ${values.seed}\n`);
process.exitCode = shown.size === 0 ? 0 : 1;
