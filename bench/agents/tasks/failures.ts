import { providerError } from '../../../supervisor/api/supervisor.ts';
import type { TrialTask } from '../task.ts';
import { equals } from './check.ts';
import { parameters, refusal, TEXT, tool, WHOLE } from './tool.ts';

const DEGREES: Readonly<Record<string, number>> = { Cologne: 11, Berlin: 7, Zurich: 4 };
const ITEMS = Array.from({ length: 120 }, (_, at) => ({ id: at, stock: (at * 17) % 23 }));
const MISSING = [4, 9];

export const FAILURES: readonly TrialTask[] = [
  {
    name: 'failures/unknown-city',
    area: 'failures',
    task: 'Return the temperature in the city Cologne (its own people write Koeln) in degrees.',
    tools: [
      tool({
        name: 'get-temperature',
        description: 'The temperature in a city, in degrees.',
        inputSchema: parameters({ city: TEXT }),
        outputSchema: WHOLE,
        call: ({ city }) => DEGREES[String(city)] ?? refusal(`unknown city "${String(city)}"; did you mean "Cologne"?`),
      }),
    ],
    check: equals(11),
    solution: `(let [reply (tool/get-temperature {"city" "Cologne"})]
  (return (if (= :ok (:status reply)) (:value reply) (fail reply))))`,
  },
  {
    name: 'failures/page-size',
    area: 'failures',
    task: 'The stock has 120 items, numbered from 0. Return the sum of "stock" over all of them.',
    tools: [
      tool({
        name: 'list-items',
        description: 'So many items from an offset.',
        inputSchema: parameters({ offset: WHOLE, limit: WHOLE }),
        outputSchema: {
          type: 'array',
          items: { type: 'object', properties: { id: WHOLE, stock: WHOLE }, required: ['id', 'stock'] },
        },
        call: ({ offset, limit }) =>
          Number(limit) > 40
            ? refusal(`limit is ${String(limit)}, and must be at most 40`)
            : ITEMS.slice(Number(offset), Number(offset) + Number(limit)),
      }),
    ],
    check: equals(ITEMS.reduce((sum, { stock }) => sum + stock, 0)),
    solution: `(def size 40)
(defn page [offset]
  (let [reply (tool/list-items {"offset" offset "limit" size})]
    (if (= :ok (:status reply)) (:value reply) (fail reply))))
(return (sum-by :stock (mapcat page (range 0 120 size))))`,
  },
  {
    name: 'failures/once-away',
    area: 'failures',
    task: 'Return the number of visitors on the day 2026-11-20. The counter is away now and then.',
    tools: [
      {
        name: 'count-visitors',
        description: 'The number of visitors on a day.',
        inputSchema: parameters({ day: TEXT }),
        outputSchema: WHOLE,
        open: () => {
          let requested = 0;
          return ({ day }) => {
            requested += 1;
            if (requested === 1)
              return providerError('unavailable', { details: 'the counter is away; try again', retryable: true });
            return /^\d{4}-\d\d-\d\d$/.test(String(day))
              ? 871
              : refusal(`day is "${String(day)}", and must be written YYYY-MM-DD`);
          };
        },
      },
    ],
    check: equals(871),
    solution: `(defn visitors [] (tool/count-visitors {"day" "2026-11-20"}))
(let [first-reply (visitors)
      reply (if (= :ok (:status first-reply)) first-reply (visitors))]
  (return (if (= :ok (:status reply)) (:value reply) (fail reply))))`,
  },
  {
    name: 'failures/some-missing',
    area: 'failures',
    task: 'Read the items 0 to 11. Some are not there. Return {"sum" the sum of "stock" of those that are, "missing" the ids of the others}.',
    contract: {
      type: 'object',
      additionalProperties: false,
      required: ['sum', 'missing'],
      properties: { sum: { type: 'integer' }, missing: { type: 'array', items: { type: 'integer' } } },
    },
    tools: [
      tool({
        name: 'read-item',
        description: 'One item.',
        inputSchema: parameters({ id: WHOLE }),
        outputSchema: { type: 'object', properties: { stock: WHOLE }, required: ['stock'] },
        call: ({ id }) =>
          MISSING.includes(Number(id))
            ? refusal(`item ${String(id)} is not there`)
            : { stock: ITEMS[Number(id)]?.stock },
      }),
    ],
    check: equals({
      sum: ITEMS.slice(0, 12)
        .filter(({ id }) => !MISSING.includes(id))
        .reduce((sum, { stock }) => sum + stock, 0),
      missing: MISSING,
    }),
    solution: `(def replies (mapv (fn [id] [id (tool/read-item {"id" id})]) (range 12)))
(defn found? [[id reply]] (= :ok (:status reply)))
(return {"sum" (sum-by (fn [[id reply]] (:stock (:value reply))) (filter found? replies))
         "missing" (mapv first (remove found? replies))})`,
  },
];
