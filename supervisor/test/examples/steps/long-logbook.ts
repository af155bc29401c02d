import { readFileSync } from 'node:fs';
import { program, type RecordedStep } from '../recorded-step.ts';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
const NUMBER = new RegExp(`\\b(?:${NUMBERS.join('|')})\\b`, 'gi');

const DAYS: readonly string[] = Object(
  JSON.parse(readFileSync(new URL('../../../../examples/long-logbook/days.json', import.meta.url), 'utf8')),
).days;

/** Ships that came and that left, as whoever reads an entry counts them. */
function counted(entry: string): readonly [came: number, left: number] {
  const [first = 0, second = 0] = (entry.match(NUMBER) ?? []).map((word) => NUMBERS.indexOf(word.toLowerCase()));
  return entry.includes('arrived') ? [second, first] : [first, second];
}

/** Counts the entry that it was shown, and asks for the next one. */
function turn(at: number): string {
  if (at === 0) return '(def came 0)\n(def left 0)\n(nth data/days 0)';
  const [came, left] = counted(DAYS[at - 1] ?? '');
  const count = `(def came (+ came ${String(came)}))\n(def left (+ left ${String(left)}))`;
  return at === DAYS.length
    ? `${count}\n(return {"days" (count data/days) "came" came "left" left})`
    : `${count}\n(nth data/days ${String(at)})`;
}

export const LONG_LOGBOOK: readonly RecordedStep[] = [
  {
    tree: 'long-logbook',
    step: null,
    alias: 'deepseek',
    offline: 'offline',
    script: Array.from({ length: DAYS.length + 1 }, (_, at) => program(turn(at))),
  },
];
