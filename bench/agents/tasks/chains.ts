import type { TrialTask } from '../task.ts';
import { equals } from './check.ts';
import { parameters, TEXT, tool, WHOLE } from './tool.ts';

const ORDERS = [
  { id: 'o-1', customer_id: 'c-17', placed: '2026-08-02' },
  { id: 'o-2', customer_id: 'c-17', placed: '2026-10-30' },
  { id: 'o-3', customer_id: 'c-18', placed: '2026-11-11' },
];
const PLACES: Readonly<Record<string, string>> = { 'o-1': 'Leeds', 'o-2': 'York', 'o-3': 'Bath' };

const PAGES = [0, 1, 2].map((page) =>
  Array.from({ length: 10 }, (_, at) => ({
    id: page * 10 + at,
    state: (page * 10 + at) % 3 === 0 ? 'open' : 'closed',
  })),
);

const FLIGHTS = [
  { id: 'F7', price: 240, seats: 3 },
  { id: 'F2', price: 180, seats: 1 },
  { id: 'F4', price: 195, seats: 5 },
];

const NOTES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  n4: { title: 'Plumber, again', text: 'He now has another number: 0555 9911.' },
  n7: { title: 'Groceries', text: 'Milk' },
};

export const CHAINS: readonly TrialTask[] = [
  {
    name: 'chains/latest-order',
    area: 'chains',
    task: 'Where is the latest order of the customer Ada Byron? Return the name of the place.',
    tools: [
      tool({
        name: 'find-customer',
        description: 'The id of a customer by name.',
        inputSchema: parameters({ name: TEXT }),
        outputSchema: { type: 'object', properties: { id: TEXT }, required: ['id'] },
        call: ({ name }) => ({ id: name === 'Ada Byron' ? 'c-17' : 'c-0' }),
      }),
      tool({
        name: 'list-orders',
        description: 'The orders of a customer, the oldest first.',
        inputSchema: parameters({ customer_id: TEXT }),
        outputSchema: {
          type: 'array',
          items: { type: 'object', properties: { id: TEXT, placed: TEXT }, required: ['id', 'placed'] },
        },
        call: ({ customer_id: customer }) =>
          ORDERS.filter((order) => order.customer_id === customer).map(({ id, placed }) => ({ id, placed })),
      }),
      tool({
        name: 'locate-order',
        description: 'Where an order is now.',
        inputSchema: parameters({ order_id: TEXT }),
        outputSchema: { type: 'object', properties: { place: TEXT }, required: ['place'] },
        call: ({ order_id: id }) => ({ place: PLACES[String(id)] ?? 'unknown' }),
      }),
    ],
    check: equals('York'),
    solution: `(defn ask [reply] (if (= :ok (:status reply)) (:value reply) (fail reply)))
(def customer (ask (tool/find-customer {"name" "Ada Byron"})))
(def order (last (sort-by :placed (ask (tool/list-orders {"customer_id" (:id customer)})))))
(return (:place (ask (tool/locate-order {"order_id" (:id order)}))))`,
  },
  {
    name: 'chains/pages',
    area: 'chains',
    task: 'Tickets come in pages, numbered from 0. Return how many tickets of all pages are open.',
    tools: [
      tool({
        name: 'list-tickets',
        description: 'One page of tickets, and whether there is another.',
        inputSchema: parameters({ page: { type: 'integer', minimum: 0 } }),
        outputSchema: {
          type: 'object',
          properties: {
            tickets: { type: 'array', items: { type: 'object', properties: { id: WHOLE, state: TEXT } } },
            more: { type: 'boolean' },
          },
          required: ['tickets', 'more'],
        },
        call: ({ page }) => ({ tickets: PAGES[Number(page)] ?? [], more: Number(page) < PAGES.length - 1 }),
      }),
    ],
    check: equals(PAGES.flat().filter(({ state }) => state === 'open').length),
    solution: `(defn page [number]
  (let [reply (tool/list-tickets {"page" number})]
    (if (= :ok (:status reply)) (:value reply) (fail reply))))
(return (loop [number 0 open 0]
  (let [found (page number)
        here (count (filter (fn [ticket] (= "open" (:state ticket))) (:tickets found)))]
    (if (:more found) (recur (inc number) (+ open here)) (+ open here)))))`,
  },
  {
    name: 'chains/price-abroad',
    area: 'chains',
    task: 'Return the price of the article with the number 4711 in the currency EUR.',
    tools: [
      tool({
        name: 'get-price',
        description: 'The price of an article, in its own currency.',
        inputSchema: parameters({ article: WHOLE }),
        outputSchema: {
          type: 'object',
          properties: { amount: { type: 'number' }, currency: TEXT },
          required: ['amount', 'currency'],
        },
        call: ({ article }) => ({ amount: article === 4711 ? 24 : 1, currency: 'GBP' }),
      }),
      tool({
        name: 'convert',
        description: 'An amount in another currency.',
        inputSchema: parameters({
          amount: { type: 'number' },
          from: { type: 'string', enum: ['GBP', 'USD', 'CHF'] },
          to: { type: 'string', enum: ['EUR', 'USD', 'CHF'] },
        }),
        outputSchema: { type: 'number' },
        call: ({ amount, from, to }) => (from === 'GBP' && to === 'EUR' ? Number(amount) * 1.25 : 0),
      }),
    ],
    check: equals(30),
    solution: `(defn ask [reply] (if (= :ok (:status reply)) (:value reply) (fail reply)))
(def price (ask (tool/get-price {"article" 4711})))
(return (ask (tool/convert {"amount" (:amount price) "from" (:currency price) "to" "EUR"})))`,
  },
  {
    name: 'chains/book-flight',
    area: 'chains',
    task: 'Find the flights from LHR to ZRH and book the cheapest one that has seats for two passengers, once. Return the number of the booking.',
    tools: [
      tool({
        name: 'search-flights',
        description: 'Flights from one airport to another.',
        inputSchema: parameters({ from: TEXT, to: TEXT }),
        outputSchema: {
          type: 'array',
          items: { type: 'object', properties: { id: TEXT, price: WHOLE, seats: WHOLE } },
        },
        call: () => FLIGHTS,
      }),
      tool({
        name: 'book-flight',
        description: 'Books seats of a flight. Each call books.',
        effect: 'write',
        inputSchema: parameters(
          {
            flight: TEXT,
            passengers: { type: 'array', items: TEXT, minItems: 1 },
            seats: { type: 'integer', minimum: 1, maximum: 9 },
          },
          ['passengers'],
        ),
        outputSchema: { type: 'object', properties: { number: TEXT }, required: ['number'] },
        call: ({ flight, seats }) => ({ number: `B-${String(flight)}-${String(seats)}` }),
      }),
    ],
    check: (value, calls) => value === 'B-F4-2' && calls.filter(({ name }) => name === 'book-flight').length === 1,
    solution: `(defn ask [reply] (if (= :ok (:status reply)) (:value reply) (fail reply)))
(def flights (filter (fn [flight] (<= 2 (:seats flight))) (ask (tool/search-flights {"from" "LHR" "to" "ZRH"}))))
(def cheapest (min-by :price flights))
(return (:number (ask (tool/book-flight {"flight" (:id cheapest) "seats" 2}))))`,
  },
  {
    name: 'chains/note',
    area: 'chains',
    task: 'Search the notes for the plumber and read the one that is found. Return the telephone number in it, as it is written.',
    tools: [
      tool({
        name: 'search-notes',
        description: 'Ids of notes by a word of their titles.',
        inputSchema: parameters({ query: TEXT, limit: { type: 'integer', minimum: 1, maximum: 20 } }, ['limit']),
        outputSchema: { type: 'array', items: TEXT },
        call: ({ query }) =>
          Object.keys(NOTES).filter((id) => NOTES[id]?.title.toLowerCase().includes(String(query).toLowerCase())),
      }),
      tool({
        name: 'read-note',
        description: 'The text of a note.',
        inputSchema: parameters({ id: TEXT }),
        outputSchema: { type: 'object', properties: { title: TEXT, text: TEXT }, required: ['title', 'text'] },
        call: ({ id }) => NOTES[String(id)] ?? { title: '', text: '' },
      }),
    ],
    check: equals('0555 9911'),
    solution: `(defn ask [reply] (if (= :ok (:status reply)) (:value reply) (fail reply)))
(def found (ask (tool/search-notes {"query" "plumber" "limit" 5})))
(def note (ask (tool/read-note {"id" (first found)})))
(return (re-find #"[0-9]{4} [0-9]{4}" (:text note)))`,
  },
];
