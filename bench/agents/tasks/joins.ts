import type { TrialTask } from '../task.ts';
import { equals, sumsBy } from './check.ts';
import { ORDERS } from './tables.ts';

const PEOPLE = [
  { name: 'Ada', city: 'London' },
  { name: 'Grace', city: 'New York' },
  { name: 'Linus', city: 'Helsinki' },
  { name: 'Barbara', city: 'New York' },
  { name: 'Edsger', city: 'Nuenen' },
  { name: 'Niklaus', city: 'Zurich' },
  { name: 'Tony', city: 'London' },
];
const cityOf = new Map(PEOPLE.map(({ name, city }) => [name, city]));

const PRODUCTS = [
  { sku: 'n1', category: 'nuts', price: 3 },
  { sku: 'b1', category: 'bolts', price: 5 },
  { sku: 'b2', category: 'bolts', price: 8 },
  { sku: 'w1', category: 'washers', price: 1 },
];
const LINES = Array.from({ length: 24 }, (_, at) => ({
  sku: PRODUCTS[(at * 3 + (at % 5)) % 4]?.sku ?? '',
  quantity: ((at * 11) % 9) + 1,
}));
const productOf = new Map(PRODUCTS.map((product) => [product.sku, product]));

const STAFF = [
  { id: 1, name: 'Ines', manager: null },
  { id: 2, name: 'Jon', manager: 1 },
  { id: 3, name: 'Kim', manager: 1 },
  { id: 4, name: 'Lee', manager: 3 },
  { id: 5, name: 'Mia', manager: 4 },
];

export const JOINS: readonly TrialTask[] = [
  {
    name: 'joins/totals-by-city',
    area: 'joins',
    task: 'data/orders has "customer" and "total" of each order, data/people "name" and "city" of each customer. Return a map of each city to the sum of the totals of its people\'s orders; cities without orders are left out.',
    data: { orders: ORDERS, people: PEOPLE },
    check: equals(
      sumsBy(
        ORDERS,
        ({ customer }) => cityOf.get(customer) ?? '',
        ({ total }) => total,
      ),
    ),
    solution: `(def city-of (into {} (map (juxt :name :city) data/people)))
(def by-city (group-by (fn [order] (city-of (:customer order))) data/orders))
(return (update-vals by-city (fn [orders] (sum-by :total orders))))`,
  },
  {
    name: 'joins/without-orders',
    area: 'joins',
    task: 'data/orders has the "customer" of each order, data/people the "name" of each customer. Return the names of people without an order, sorted.',
    data: { orders: ORDERS, people: PEOPLE },
    check: equals(['Niklaus', 'Tony']),
    solution: `(def ordered (set (map :customer data/orders)))
(return (vec (sort (remove ordered (map :name data/people)))))`,
  },
  {
    name: 'joins/revenue-by-category',
    area: 'joins',
    task: 'data/lines has "sku" and "quantity" of each line that was sold, data/products "sku", "category" and "price" of each product. Return a map of each category to its revenue.',
    data: { lines: LINES, products: PRODUCTS },
    check: equals(
      sumsBy(
        LINES,
        ({ sku }) => productOf.get(sku)?.category ?? '',
        ({ sku, quantity }) => quantity * (productOf.get(sku)?.price ?? 0),
      ),
    ),
    solution: `(def products (group-by :sku data/products))
(defn sold [line]
  (let [product (first (get products (:sku line)))]
    {(:category product) (* (:quantity line) (:price product))}))
(return (apply merge-with + (map sold data/lines)))`,
  },
  {
    name: 'joins/chain-of-command',
    area: 'joins',
    task: 'data/staff has "id", "name" and "manager" (an id, or null) of each person. Return the names from Mia up to the person without a manager, as a vector.',
    data: { staff: STAFF },
    check: equals(['Mia', 'Lee', 'Kim', 'Ines']),
    solution: `(def by-id (into {} (map (juxt :id identity) data/staff)))
(def mia (first (filter (fn [person] (= "Mia" (:name person))) data/staff)))
(return (mapv :name (take-while some? (iterate (fn [person] (get by-id (:manager person))) mia))))`,
  },
];
