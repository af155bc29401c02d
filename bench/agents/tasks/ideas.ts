import type { TrialTask } from '../task.ts';
import { equals } from './check.ts';

const WEIGHTS = [
  { article: 'tea', weight: 250, unit: 'g' },
  { article: 'rice', weight: 2, unit: 'kg' },
  { article: 'salt', weight: 500, unit: 'g' },
];
const SEATS = [37, 29, 34, 41];
const EVENTS = [
  { id: 1, amount: 10 },
  { id: 7, amount: 5 },
  { id: 2, amount: 8 },
  { id: 7, amount: 5 },
  { id: 3, amount: 1 },
  { id: 2, amount: 8 },
];

export const IDEAS: readonly TrialTask[] = [
  {
    name: 'ideas/units',
    area: 'ideas',
    task: 'data/weights has "article", "weight" and "unit" of each article. Return {"weight_g" the sum of all weights in grams}.',
    data: { weights: WEIGHTS },
    contract: {
      type: 'object',
      additionalProperties: false,
      required: ['weight_g'],
      properties: { weight_g: { type: 'integer', minimum: 1 } },
    },
    check: equals({ weight_g: 2750 }),
    solution: `(defn grams [row] (if (= "kg" (:unit row)) (* 1000 (:weight row)) (:weight row)))
(return {"weight_g" (reduce + (map grams data/weights))})`,
  },
  {
    name: 'ideas/percentages',
    area: 'ideas',
    task: 'data/seats has the seats of four parties. Return their percentages as integers, rounded down, in their order; what is then missing to 100 is added to the first.',
    data: { seats: SEATS },
    verify: `(fn [{:keys [value]}]
      (let [sum (when (and (sequential? value) (every? int? value)) (reduce + value))]
        (if (= 100 sum)
          {:status "accepted"}
          {:status "rejected"
           :feedback (str "the sum of the percentages is " sum ", and must be 100; add "
                          (when sum (- 100 sum)) " to the first")})))`,
    check: equals([27, 20, 24, 29]),
    solution: `(def total (reduce + data/seats))
(def parts (mapv (fn [seats] (quot (* 100 seats) total)) data/seats))
(return (update parts 0 + (- 100 (reduce + parts))))`,
  },
  {
    name: 'ideas/duplicates',
    area: 'ideas',
    task: 'data/events has "id" and "amount" of each event. Return {"sum" the sum of the amounts, "ids" the ids that were counted}.',
    data: { events: EVENTS },
    verify: `(fn [{:keys [value]}]
      (let [ids (:ids value) twice (first (filter (fn [id] (< 1 (count (filter #{id} ids)))) ids))]
        (if (nil? twice)
          {:status "accepted"}
          {:status "rejected" :feedback (str "id " twice " is counted more than once; take (distinct data/events) in place of data/events")})))`,
    check: equals({ sum: 24, ids: [1, 7, 2, 3] }),
    solution: `(def events (distinct data/events))
(return {"sum" (sum-by :amount events) "ids" (mapv :id events)})`,
  },
  {
    name: 'ideas/one-form',
    area: 'ideas',
    task: 'data/seats has the seats of four parties. Return the largest number of seats.',
    data: { seats: SEATS },
    isTerminal: true,
    check: equals(41),
    solution: `(return (apply max data/seats))`,
  },
];
