import type { TrialTask } from '../task.ts';
import { equals } from './check.ts';

const READINGS = Array.from({ length: 15_000 }, (_, at) => ({ at, value: at === 13_337 ? -1 : (at * 7919) % 10_007 }));
const LINES = Array.from({ length: 6000 }, (_, at) =>
  (at * 31) % 17 === 3 ? `${at} request 4${at} ended: timeout after 30 s` : `${at} request 4${at} ended: ok`,
);
const top = READINGS.toSorted((a, b) => b.value - a.value || a.at - b.at).slice(0, 5);

const ABOUT = 'data/readings is a large table, each row with "at" and "value".';

export const LARGE: readonly TrialTask[] = [
  {
    name: 'large/how-many',
    area: 'large',
    task: `${ABOUT} Return the number of its rows.`,
    data: { readings: READINGS },
    check: equals(15_000),
    solution: `(return (count data/readings))`,
  },
  {
    name: 'large/needle',
    area: 'large',
    task: `${ABOUT} One value is negative. Return its "at".`,
    data: { readings: READINGS },
    check: equals(13_337),
    solution: `(return (:at (first (filter (fn [reading] (neg? (:value reading))) data/readings))))`,
  },
  {
    name: 'large/top',
    area: 'large',
    task: `${ABOUT} Return the "at" of the five largest values, the largest first; of two that are equal the one with the smaller "at" comes first.`,
    data: { readings: READINGS },
    check: equals(top.map(({ at }) => at)),
    solution: `(def order (sort-by (juxt (comp - :value) :at) data/readings))
(return (mapv :at (take 5 order)))`,
  },
  {
    name: 'large/timeouts',
    area: 'large',
    task: 'data/log is a long text of lines. Return how many of them mention a timeout.',
    data: { log: LINES.join('\n') },
    check: equals(LINES.filter((line) => line.includes('timeout')).length),
    solution: `(def lines (str/split-lines data/log))
(return (count (filter (fn [line] (str/includes? line "timeout")) lines)))`,
  },
];
