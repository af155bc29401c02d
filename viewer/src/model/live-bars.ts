import type { Frame } from '../data.ts';

/** One call or evaluation of a live run, in milliseconds from its start; without an end yet: until now. */
export interface LiveBar {
  readonly name: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly hasFailed: boolean;
}

type Act = Frame['activity'][number];

/** Acts that are kept of a run that goes on; the oldest give way. */
const MOST_ACTS = 400;
/** How far a start as it was reported may be from one that is reckoned from the end. */
const NEAR_MS = 250;
const GOOD: ReadonlySet<string> = new Set(['ok', 'returned', 'continued']);

/** What was reported so far, oldest first, with what a new frame reports. */
export function withActs(before: readonly Act[], { activity }: Frame): readonly Act[] {
  const newest = before.at(-1);
  const added = activity.toReversed();
  // A frame repeats what it reported before, as far as it holds it.
  const known = newest === undefined ? -1 : added.findLastIndex((act) => isSame(act, newest));
  return [...before, ...added.slice(known + 1)].slice(-MOST_ACTS);
}

function isSame(one: Act, other: Act): boolean {
  return one.t === other.t && one.name === other.name && one.status === other.status && one.kind === other.kind;
}

/** Bars of what ended and of what goes on, in the order in which they began. */
export function liveBars(acts: readonly Act[], elapsed: number, isRunning: boolean): readonly LiveBar[] {
  const open: Act[] = [];
  const bars: LiveBar[] = [];
  for (const act of acts) {
    if (act.status === 'start') {
      open.push(act);
      continue;
    }
    const start = act.t - (act.duration_ms ?? 0);
    const startIndex = open.findLastIndex(
      ({ name, kind, t }) => name === act.name && kind === act.kind && Math.abs(t - start) <= NEAR_MS,
    );
    if (startIndex !== -1) open.splice(startIndex, 1);
    const { name, kind, status, t } = act;
    bars.push({ name, kind, start: Math.max(0, start), end: t, isOpen: false, hasFailed: !GOOD.has(status) });
  }
  for (const { name, kind, t } of isRunning ? open : [])
    bars.push({ name, kind, start: t, end: Math.max(t, elapsed), isOpen: true, hasFailed: false });
  return bars.sort((left, right) => left.start - right.start || right.end - left.end);
}
