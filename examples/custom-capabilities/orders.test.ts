/**
 * The application against orders of the test's own: the same functions, no database.
 *
 *     node --test
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSupervisor, type Supervisor } from '@svc-lisp/svc/supervisor';
import { offerOrders, type Order } from './orders.ts';

let supervisor: Supervisor;
before(async () => {
  supervisor = await createSupervisor();
});
after(async () => {
  await supervisor.close();
});

/** What the application decides about each id. */
async function decide(orders: readonly Order[], ids: readonly string[]): Promise<unknown> {
  const application = await supervisor.prepare({
    kind: 'directory',
    manifest: 'svc.json',
    workingDirectory: import.meta.dirname,
    custom: [offerOrders(new Map(orders.map((order) => [order.id, order])))],
  });
  const end = await supervisor.run(application, { input: { orders: [...ids] } }).result;
  return end.kind === 'finished' ? end.value : end;
}

test('a late order is paid back', async () => {
  assert.deepEqual(await decide([{ id: 'B-1', cents: 500, late: true }], ['B-1']), { 'B-1': 'refunded' });
});

test('an order in time is left as it is', async () => {
  assert.deepEqual(await decide([{ id: 'B-1', cents: 500, late: false }], ['B-1']), { 'B-1': 'on-time' });
});

test('an order of more than the limit is for a person, one at the limit is not', async () => {
  const orders = [
    { id: 'B-1', cents: 5000, late: true },
    { id: 'B-2', cents: 5001, late: true },
  ];
  assert.deepEqual(await decide(orders, ['B-1', 'B-2']), { 'B-1': 'refunded', 'B-2': 'ask-a-person' });
});

test('an order that nobody has is named, and the others are decided', async () => {
  const orders = [{ id: 'B-1', cents: 500, late: true }];
  assert.deepEqual(await decide(orders, ['C-9', 'B-1']), { 'C-9': 'not_found', 'B-1': 'refunded' });
});

test('nothing is paid back twice', async () => {
  const orders = [{ id: 'B-1', cents: 500, late: true }];
  assert.deepEqual(await decide(orders, ['B-1', 'B-1']), { 'B-1': 'domain_error' });
});
