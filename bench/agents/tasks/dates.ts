import type { TrialTask } from '../task.ts';
import { equals, sumsBy } from './check.ts';

const INVOICES = Array.from({ length: 30 }, (_, at) => {
  const due = new Date(Date.UTC(2026, 8, 1 + at * 4)).toISOString().slice(0, 10);
  return { number: `R-${at}`, due, amount: ((at * 37) % 90) + 10 };
});
const TODAY = '2026-11-01';

export const DATES: readonly TrialTask[] = [
  {
    name: 'dates/overdue',
    area: 'dates',
    task: 'data/invoices has "number", "due" (YYYY-MM-DD) and "amount" of each invoice, data/today is a date. Return the sum of the amounts that were due before today.',
    data: { invoices: INVOICES, today: TODAY },
    check: equals(INVOICES.filter(({ due }) => due < TODAY).reduce((sum, { amount }) => sum + amount, 0)),
    solution: `(def overdue (filter (fn [invoice] (neg? (compare (:due invoice) data/today))) data/invoices))
(return (sum-by :amount overdue))`,
  },
  {
    name: 'dates/by-month',
    area: 'dates',
    task: 'data/invoices has "due" (YYYY-MM-DD) and "amount" of each invoice. Return a map of each month (YYYY-MM) to the sum of its amounts.',
    data: { invoices: INVOICES },
    check: equals(
      sumsBy(
        INVOICES,
        ({ due }) => due.slice(0, 7),
        ({ amount }) => amount,
      ),
    ),
    solution: `(def by-month (group-by (fn [invoice] (subs (:due invoice) 0 7)) data/invoices))
(return (update-vals by-month (fn [rows] (sum-by :amount rows))))`,
  },
  {
    name: 'dates/days-between',
    area: 'dates',
    task: 'data/start and data/end are dates (YYYY-MM-DD). Return the number of days from the first to the second.',
    data: { start: '2025-12-19', end: '2026-03-02' },
    check: equals(73),
    solution: `(let [start (java.time.LocalDate/parse data/start)
      end (java.time.LocalDate/parse data/end)]
  (return (- (.toEpochDay end) (.toEpochDay start))))`,
  },
  {
    name: 'dates/latest',
    area: 'dates',
    task: 'data/visits has "name" and "date" of each visit, the date as day.month.year. Return the name of the latest visit.',
    data: {
      visits: [
        { name: 'Ada', date: '30.9.2026' },
        { name: 'Grace', date: '2.11.2026' },
        { name: 'Linus', date: '29.12.2025' },
        { name: 'Barbara', date: '14.10.2026' },
      ],
    },
    check: equals('Grace'),
    solution: `(defn sortable [visit]
  (vec (reverse (map parse-long (str/split (:date visit) #"\\.")))))
(return (:name (last (sort-by sortable data/visits))))`,
  },
];
