import type { TrialTask } from '../task.ts';
import { equals, isNear, sumsBy } from './check.ts';

const CUSTOMERS = ['Ada', 'Grace', 'Linus', 'Barbara', 'Edsger'];
const STATUSES = ['paid', 'open', 'refunded', 'paid', 'paid', 'open', 'cancelled'];

/** Sixty orders whose totals have neither pattern nor ties. */
export const ORDERS = Array.from({ length: 60 }, (_, at) => ({
  id: 1000 + at,
  customer: CUSTOMERS[(at * 7 + (at % 3)) % CUSTOMERS.length] ?? '',
  status: STATUSES[(at * 5) % STATUSES.length] ?? '',
  total: ((at * 7919) % 997) + (at % 29 === 7 ? 2000 : 0),
}));

const paid = ORDERS.filter(({ status }) => status === 'paid');
const totals = ORDERS.map(({ total }) => total);
const average = totals.reduce((sum, total) => sum + total, 0) / totals.length;
const ascending = totals.toSorted((a, b) => a - b);
const byCustomer = Object.entries(
  sumsBy(
    paid,
    ({ customer }) => customer,
    ({ total }) => total,
  ),
).toSorted(([, a], [, b]) => b - a);
const largest = ORDERS.toSorted((a, b) => b.total - a.total)[0];

const ABOUT = 'data/orders is a table of orders, each with "id", "customer", "status" and "total".';

export const TABLES: readonly TrialTask[] = [
  {
    name: 'tables/paid-total',
    area: 'tables',
    task: `${ABOUT} Return the sum of "total" over the orders whose status is paid.`,
    data: { orders: ORDERS },
    check: equals(paid.reduce((sum, { total }) => sum + total, 0)),
    solution: `(def paid (filter (fn [order] (= "paid" (:status order))) data/orders))
(def amounts (map :total paid))
(return (reduce + amounts))`,
  },
  {
    name: 'tables/best-customer',
    area: 'tables',
    task: `${ABOUT} Return the name of the customer whose paid orders have the largest sum.`,
    data: { orders: ORDERS },
    check: equals(byCustomer[0]?.[0]),
    solution: `(def paid (filter (fn [order] (= "paid" (:status order))) data/orders))
(def sums (update-vals (group-by :customer paid) (fn [rows] (sum-by :total rows))))
(return (key (apply max-key val sums)))`,
  },
  {
    name: 'tables/status-counts',
    area: 'tables',
    task: `${ABOUT} Return a map of each status to the number of its orders.`,
    data: { orders: ORDERS },
    contract: { type: 'object', additionalProperties: true },
    check: equals(
      sumsBy(
        ORDERS,
        ({ status }) => status,
        () => 1,
      ),
    ),
    solution: `(def statuses (map :status data/orders))
(return (frequencies statuses))`,
  },
  {
    name: 'tables/median',
    area: 'tables',
    task: `${ABOUT} There is an even number of them. Return the median of "total", the mean of the two in the middle.`,
    data: { orders: ORDERS },
    check: isNear(((ascending[29] ?? NaN) + (ascending[30] ?? NaN)) / 2),
    solution: `(let [sorted (vec (sort (map :total data/orders)))
      half (quot (count sorted) 2)
      low (nth sorted (dec half))
      high (nth sorted half)]
  (return (/ (+ low high) 2.0)))`,
  },
  {
    name: 'tables/outliers',
    area: 'tables',
    task: `${ABOUT} Return the ids of the orders whose total is more than three times the average of all, ascending.`,
    data: { orders: ORDERS },
    check: equals(ORDERS.filter(({ total }) => total > 3 * average).map(({ id }) => id)),
    solution: `(let [average (avg-by :total data/orders)
      large? (fn [order] (> (:total order) (* 3 average)))]
  (return (sort (map :id (filter large? data/orders)))))`,
  },
  {
    name: 'tables/report',
    area: 'tables',
    task: `${ABOUT} Return a report: "count" of all orders, "total" of all as an integer, and the "largest" order with its "id" and "total".`,
    data: { orders: ORDERS },
    contract: {
      type: 'object',
      additionalProperties: false,
      required: ['count', 'total', 'largest'],
      properties: {
        count: { type: 'integer' },
        total: { type: 'integer' },
        largest: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'total'],
          properties: { id: { type: 'integer' }, total: { type: 'integer' } },
        },
      },
    },
    check: equals({
      count: ORDERS.length,
      total: totals.reduce((sum, total) => sum + total, 0),
      largest: { id: largest?.id, total: largest?.total },
    }),
    solution: `(let [largest (max-by :total data/orders)]
  (return {"count" (count data/orders)
           "total" (sum-by :total data/orders)
           "largest" {"id" (:id largest) "total" (:total largest)}}))`,
  },
];
