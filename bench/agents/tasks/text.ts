import type { TrialTask } from '../task.ts';
import { equals, sumsBy } from './check.ts';

const LETTER = `Dear all,
please write to ada@example.org or to grace.h@navy.example; the old address ada@example.org still works.
Copies go to office@example.org (weekdays) and linus+kernel@lists.example.
Yours, Barbara`;

const TITLE = 'portable network graphics of unusual length';

const CSV = `region,product,units
north,nut,12
south,bolt,7
north,bolt,30
west,nut,5
south,nut,21`;

const MODULES = ['billing', 'search', 'mail'];
const LOG = Array.from({ length: 90 }, (_, at) => ({
  level: ['INFO', 'ERROR', 'WARN', 'INFO'][(at * 3) % 4] ?? '',
  module: MODULES[(at * 5 + (at % 7)) % 3] ?? '',
}));

export const TEXT_TASKS: readonly TrialTask[] = [
  {
    name: 'text/addresses',
    area: 'text',
    task: 'data/letter is a text. Return the distinct mail addresses in it as a sorted vector.',
    data: { letter: LETTER },
    check: equals(['ada@example.org', 'grace.h@navy.example', 'linus+kernel@lists.example', 'office@example.org']),
    solution: `(def found (re-seq #"[A-Za-z0-9.+]+@[a-z.]+[a-z]" data/letter))
(return (vec (sort (distinct found))))`,
  },
  {
    name: 'text/longest-word',
    area: 'text',
    task: 'data/title is a text of words. Return its longest word.',
    data: { title: TITLE },
    check: equals('portable'),
    solution: `(def words (str/split data/title #" "))
(return (first (sort-by (comp - count) words)))`,
  },
  {
    name: 'text/acronym',
    area: 'text',
    task: 'data/title is a text of words. Return the first letters of its words, in upper case, as one text.',
    data: { title: TITLE },
    check: equals('PNGOUL'),
    solution: `(let [words (str/split data/title #" ")
      letters (map first words)]
  (return (str/upper-case (apply str letters))))`,
  },
  {
    name: 'text/units',
    area: 'text',
    task: 'data/csv is a table as comma-separated lines with a heading. Return the sum of the column "units".',
    data: { csv: CSV },
    check: equals(75),
    solution: `(defn units [line]
  (let [fields (str/split line #",")]
    (parse-long (nth fields 2))))
(def rows (rest (str/split-lines data/csv)))
(return (reduce + (map units rows)))`,
  },
  {
    name: 'text/errors-by-module',
    area: 'text',
    task: 'data/log is a text of lines "LEVEL module: message". Return a map of each module to the number of its ERROR lines.',
    data: { log: LOG.map(({ level, module }, at) => `${level} ${module}: event ${at}`).join('\n') },
    check: equals(
      sumsBy(
        LOG.filter(({ level }) => level === 'ERROR'),
        ({ module }) => module,
        () => 1,
      ),
    ),
    solution: `(def lines (str/split-lines data/log))
(def errors (filter (fn [line] (str/starts-with? line "ERROR")) lines))
(return (frequencies (map (fn [line] (second (re-find #"^ERROR ([a-z]+):" line))) errors)))`,
  },
];
