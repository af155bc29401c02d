import { NEW_ROW, type ModelRow, type Transitions } from './model-rows.ts';

/**
 * All interleavings of three workers, a reaper, a client that cancels and time, over one run. A worker here never looks
 * at its own clock, may stop at any point and go on at any later one, and may die: what real ones do is less.
 */
interface ModelWorker {
  readonly epoch: number;
  readonly hasStarted: boolean;
  /** It got the answer that writes may go out. */
  readonly writes: boolean;
}

interface ModelState {
  readonly row: ModelRow;
  /** Of the job that delivers the run: in the engine, with somebody, or not sent (again) yet. */
  readonly job: 'queued' | 'taken' | 'unsent';
  readonly workers: readonly (ModelWorker | null)[];
  /** Epochs that got this answer, and those that wrote. */
  readonly gates: readonly number[];
  readonly writers: readonly number[];
  /** How many got the answer that theirs is the record of how the run ended. */
  readonly records: number;
}

/** What was explored. */
export interface Explored {
  readonly states: number;
  readonly steps: number;
  /** Longest of the shortest ways to a state. */
  readonly depth: number;
  /** States of which no way leads to an end. */
  readonly stuck: number;
  /** How runs ended, over all ends. */
  readonly ends: ReadonlySet<string>;
}

const WORKERS = 3;
const ENDS: ReadonlySet<string> = new Set(['finished', 'cancelled', 'lost']);
const EFFECTS = ['none', 'dispatched', 'write_open'];
const ATTEMPTS = 3;

export class Violation extends Error {}

/**
 * Visits every state that can be reached. Rejects with a Violation, and the way to it, where an invariant of gateway.md
 * §19 does not hold.
 */
export async function explore(transitions: Transitions): Promise<Explored> {
  const start: ModelState = {
    row: NEW_ROW,
    job: 'queued',
    workers: Array.from({ length: WORKERS }, () => null),
    gates: [],
    writers: [],
    records: 0,
  };
  const seen = new Map<string, { readonly way: string; readonly depth: number; readonly from: string[] }>([
    [keyOf(start), { way: '', depth: 0, from: [] }],
  ]);
  const ends = new Set<string>();
  const endKeys: string[] = [];
  let steps = 0;
  let depth = 0;
  let level: ModelState[] = [start];
  while (level.length > 0) {
    const next: ModelState[] = [];
    for (const state of level) {
      const key = keyOf(state);
      const visited = seen.get(key);
      if (visited === undefined) throw new Error('a state that nobody came to');
      if (ENDS.has(state.row.state)) {
        ends.add(state.row.state);
        endKeys.push(key);
      }
      for (const [name, following] of await stepsFrom(state, transitions)) {
        steps += 1;
        const way = `${visited.way} ${name}`;
        const broken = violationOf(state, following);
        if (broken !== null) throw new Violation(`${broken}, after${way}`);
        const followingKey = keyOf(following);
        const known = seen.get(followingKey);
        if (known === undefined) {
          seen.set(followingKey, { way, depth: visited.depth + 1, from: [key] });
          depth = visited.depth + 1;
          next.push(following);
        } else known.from.push(key);
      }
    }
    level = next;
  }
  return { states: seen.size, steps, depth, stuck: seen.size - reaching(endKeys, seen), ends };
}

/** How many states have a way to one of these. */
function reaching(keys: readonly string[], seen: ReadonlyMap<string, { readonly from: readonly string[] }>): number {
  const reached = new Set(keys);
  const waiting = [...keys];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const before of seen.get(key)?.from ?? []) {
      if (reached.has(before)) continue;
      reached.add(before);
      waiting.push(before);
    }
  }
  return reached.size;
}

/** Workers are alike: which of them is where makes no other state. */
function keyOf({ row, job, workers, gates, writers, records }: ModelState): string {
  return JSON.stringify([
    row,
    job,
    workers.map((worker) => JSON.stringify(worker)).toSorted(),
    gates,
    writers,
    records,
  ]);
}

function violationOf(before: ModelState, after: ModelState): string | null {
  const { row } = after;
  if (after.gates.length > 1) return 'two attempts opened the gate of writes';
  if (after.writers.length > 1) return 'two attempts wrote';
  if (after.records > 1) return 'two records of one run';
  if (
    ENDS.has(before.row.state) &&
    JSON.stringify({ ...before.row, hasRecord: true, cancelled: true }) !==
      JSON.stringify({ ...row, hasRecord: true, cancelled: true })
  )
    return 'an end was left';
  if (before.row.hasRecord && !row.hasRecord) return 'a record was lost';
  if (EFFECTS.indexOf(row.effect) < EFFECTS.indexOf(before.row.effect)) return 'an effect was forgotten';
  if (before.gates.length > 0 && row.epoch > before.row.epoch) return 'a run that may have written was begun again';
  if (before.row.effect === 'write_open' && row.state === 'accepted')
    return 'a run that may have written waits to be begun again';
  if (row.epoch > ATTEMPTS) return 'more attempts than there may be';
  if (row.reruns > 1 && !ENDS.has(row.state)) return 'a run that was read for was begun again twice';
  return null;
}

async function stepsFrom(
  state: ModelState,
  transitions: Transitions,
): Promise<readonly (readonly [string, ModelState])[]> {
  const { row, job } = state;
  const found: (readonly [string, ModelState])[] = [];
  const cancelled = await transitions.cancel(row, row.epoch);
  if (!row.cancelled && !ENDS.has(row.state))
    found.push([
      'cancel',
      { ...state, row: cancelled.row, records: state.records + (cancelled.answer === 'queued' ? 1 : 0) },
    ]);
  if (row.lease === 'live') found.push(['expire', { ...state, row: { ...row, lease: 'expired' } }]);
  const reaped = await transitions.reap(row, row.epoch);
  if (reaped.answer !== null) found.push(['reap', await afterReaping(state, reaped.row, transitions)]);
  if (job === 'unsent') found.push(['deliver', { ...state, job: 'queued' }]);
  // The engine forgot it; only one that still is to be delivered is sent again.
  if (job === 'queued' && row.state === 'accepted') found.push(['forget', { ...state, job: 'unsent' }]);
  for (const [index, worker] of state.workers.entries())
    found.push(...(await stepsOf(state, index, worker, transitions)));
  return found;
}

/** A reaper's change and its record are one transaction; the job is sent in another. */
async function afterReaping(state: ModelState, row: ModelRow, transitions: Transitions): Promise<ModelState> {
  if (row.state === 'accepted') return { ...state, row, job: 'unsent' };
  const recorded = row.state === 'lost' ? await transitions.record(row, row.epoch) : { row, answer: true };
  return { ...state, row: recorded.row, records: state.records + (recorded.answer === true ? 1 : 0) };
}

async function stepsOf(
  state: ModelState,
  index: number,
  worker: ModelWorker | null,
  transitions: Transitions,
): Promise<readonly (readonly [string, ModelState])[]> {
  const { row } = state;
  const put = (changed: ModelWorker | null) => state.workers.map((other, place) => (place === index ? changed : other));
  if (worker === null) {
    if (state.job !== 'queued') return [];
    const used = await transitions.take(row, row.epoch);
    // A job of which the row knows nothing is dropped.
    const claimed = typeof used.answer === 'number' ? { epoch: used.answer, hasStarted: false, writes: false } : null;
    return [['take', { ...state, row: used.row, job: 'taken', workers: put(claimed) }]];
  }
  const { epoch } = worker;
  const found: (readonly [string, ModelState])[] = [['die', { ...state, workers: put(null) }]];
  const extended = await transitions.extend(row, epoch);
  found.push(['extend', { ...state, row: extended.row, workers: put(extended.answer === 'lost' ? null : worker) }]);
  if (!worker.hasStarted) {
    const started = await transitions.begin(row, epoch);
    found.push([
      'begin',
      { ...state, row: started.row, workers: put(started.answer === true ? { ...worker, hasStarted: true } : null) },
    ]);
    return found;
  }
  const dispatched = await transitions.dispatch(row, epoch);
  found.push(['dispatch', { ...state, row: dispatched.row }]);
  const opened = await transitions.openWrites(row, epoch);
  const isOpen = opened.answer === true;
  found.push([
    'open writes',
    {
      ...state,
      row: opened.row,
      gates: isOpen ? added(state.gates, epoch) : state.gates,
      workers: put({ ...worker, writes: worker.writes || isOpen }),
    },
  ]);
  if (worker.writes) found.push(['write', { ...state, writers: added(state.writers, epoch) }]);
  const finished = await transitions.finish(row, epoch);
  found.push([
    'finish',
    { ...state, row: finished.row, records: state.records + (finished.answer === true ? 1 : 0), workers: put(null) },
  ]);
  return found;
}

function added(epochs: readonly number[], epoch: number): readonly number[] {
  return epochs.includes(epoch) ? epochs : [...epochs, epoch];
}
