/**
 * An order desk as an embedding program: its own functions are what the application in this folder may call.
 *
 *     node run.ts
 */
import { createSupervisor, defineCustomInstallation, notDispatched, providerError } from '@svc-lisp/svc/supervisor';

/** Stands for a database. */
const ORDERS = new Map([
  ['A-1', { id: 'A-1', cents: 1999, late: false }],
  ['A-2', { id: 'A-2', cents: 2500, late: true }],
  ['A-3', { id: 'A-3', cents: 99_000, late: true }],
]);
const refunded = new Set<string>();

const id = { type: 'string', pattern: '^[A-Z]-[0-9]{1,9}$' };

const orders = defineCustomInstallation({
  alias: 'orders',
  revision: 'r1',
  destinations: ['workflow', 'mission'],
  capabilities: [
    {
      name: 'order-status',
      description: 'Amount of an order in cents, and whether it is late.',
      effect: 'read',
      modelVisible: true,
      inputSchema: { type: 'object', properties: { id }, required: ['id'], additionalProperties: false },
      call: (given) => ORDERS.get(String(given['id'])) ?? providerError('not_found'),
    },
    {
      name: 'refund',
      description: 'Pays an order back, once.',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: { id, cents: { type: 'integer', minimum: 1 } },
        required: ['id', 'cents'],
        additionalProperties: false,
      },
      outputSchema: { type: 'object', properties: { receipt: { type: 'string' } }, required: ['receipt'] },
      timeoutMs: 2000,
      call: (given, { capabilityId, signal }) => {
        const order = String(given['id']);
        if (signal.aborted) return notDispatched('unavailable', { retryable: true });
        if (refunded.has(order))
          return providerError('domain_error', { details: 'already refunded', isComplete: true });
        refunded.add(order);
        return { receipt: `${order}/${capabilityId}` };
      },
    },
  ],
});

const supervisor = await createSupervisor({ isolatesPerHost: 8 });
try {
  const application = await supervisor.prepare({
    kind: 'directory',
    manifest: 'svc-project.json',
    workingDirectory: import.meta.dirname,
    custom: [orders],
  });
  const end = await supervisor.run(application).result;
  if (end.kind === 'refused') throw new Error(`refused: ${end.code}`);
  process.stdout.write(`${end.valueText ?? end.envelopeText}\n`);
  process.stderr.write(`evidence: .svc/envelopes/${end.runRef}.json\n`);
  process.exitCode = end.exitStatus;
} finally {
  await supervisor.close();
}
