/**
 * An order desk as an embedding program: its own functions are what the application in this folder may call.
 *
 *     node run.ts
 */
import { createSupervisor } from '@svc-lisp/svc/supervisor';
import { offerOrders } from './orders.ts';

/** In place of a database. */
const ORDERS = new Map([
  ['A-1', { id: 'A-1', cents: 1999, late: false }],
  ['A-2', { id: 'A-2', cents: 2500, late: true }],
  ['A-3', { id: 'A-3', cents: 99_000, late: true }],
]);

const supervisor = await createSupervisor({ isolatesPerHost: 8 });
try {
  const application = await supervisor.prepare({
    kind: 'directory',
    manifest: 'svc-project.json',
    workingDirectory: import.meta.dirname,
    custom: [offerOrders(ORDERS)],
  });
  const end = await supervisor.run(application).result;
  if (end.kind === 'refused') throw new Error(`refused: ${end.code}`);
  process.stdout.write(`${end.valueText ?? end.envelopeText}\n`);
  process.stderr.write(`evidence: .svc/envelopes/${end.runRef}.json\n`);
  process.exitCode = end.exitStatus;
} finally {
  await supervisor.close();
}
