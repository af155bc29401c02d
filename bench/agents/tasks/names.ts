import type { TaskTool, TrialTask } from '../task.ts';
import { equals } from './check.ts';

const ROWS = Array.from({ length: 20 }, (_, at) => ({
  sku: `s${at}`,
  total: ((at * 13) % 50) + 60,
  total_net: ((at * 13) % 50) + 50,
  'unit price': (at % 4) + 2,
  qty: (at % 6) + 1,
}));

const USERS = [
  { id: 'u1', name: 'Ada', email: 'ada@example.org', plan: 'free' },
  { id: 'u2', name: 'Ada', email: 'ada.b@example.org', plan: 'team' },
];
const USER = { type: ['object', 'null'] };

const USER_TOOLS: readonly TaskTool[] = [
  {
    name: 'get-user',
    description: 'The user with an id.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
    outputSchema: USER,
    open:
      () =>
      ({ id }) =>
        USERS.find((user) => user.id === id) ?? null,
  },
  {
    name: 'get-user-by-email',
    description: 'The user with an address.',
    inputSchema: {
      type: 'object',
      properties: { email: { type: 'string' } },
      required: ['email'],
      additionalProperties: false,
    },
    outputSchema: USER,
    open:
      () =>
      ({ email }) =>
        USERS.find((user) => user.email === email) ?? null,
  },
];

export const NAMES: readonly TrialTask[] = [
  {
    name: 'names/net-sum',
    area: 'names',
    task: 'data/rows is a table of sales with gross and net totals. Return the sum of the net totals.',
    data: { rows: ROWS },
    check: equals(ROWS.reduce((sum, row) => sum + row.total_net, 0)),
    solution: `(def amounts (map :total_net data/rows))
(return (reduce + amounts))`,
  },
  {
    name: 'names/spaces',
    area: 'names',
    task: 'data/rows is a table of sales. Return the sum of unit price times quantity over all rows.',
    data: { rows: ROWS },
    check: equals(ROWS.reduce((sum, row) => sum + row['unit price'] * row.qty, 0)),
    solution: `(defn worth [row] (* (get row "unit price") (get row "qty")))
(return (reduce + (map worth data/rows)))`,
  },
  {
    name: 'names/two-tools',
    area: 'names',
    task: 'Return the "plan" of the user whose mail address is ada.b@example.org.',
    tools: USER_TOOLS,
    check: equals('team'),
    solution: `(let [reply (tool/get-user-by-email {"email" "ada.b@example.org"})]
  (return (if (= :ok (:status reply)) (:plan (:value reply)) (fail reply))))`,
  },
  {
    name: 'names/nested',
    area: 'names',
    task: 'data/config is a nested map of settings. Return the number of seconds after which the billing service gives up.',
    data: {
      config: {
        defaults: { timeout_s: 10 },
        services: { billing: { limits: { timeout_s: 45, retries: 2 } }, mail: { limits: { timeout_s: 5 } } },
      },
    },
    check: equals(45),
    solution: `(return (get-in data/config ["services" "billing" "limits" "timeout_s"]))`,
  },
];
