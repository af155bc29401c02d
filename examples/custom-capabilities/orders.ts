import { defineCustomInstallation, notDispatched, providerError } from '@svc-lisp/svc/supervisor';

export interface Order {
  readonly id: string;
  readonly cents: number;
  readonly late: boolean;
}

const id = { type: 'string', pattern: '^[A-Z]-[0-9]{1,9}$' };

/** What the application may do with some orders: look one up, and pay one back, once. */
export function offerOrders(orders: ReadonlyMap<string, Order>) {
  const refunded = new Set<string>();
  return defineCustomInstallation({
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
        call: (input) => orders.get(String(input['id'])) ?? providerError('not_found'),
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
        call: (input, { capabilityId, signal }) => {
          const order = String(input['id']);
          if (signal.aborted) return notDispatched('unavailable', { retryable: true });
          if (refunded.has(order))
            return providerError('domain_error', { details: 'already refunded', isComplete: true });
          refunded.add(order);
          return { receipt: `${order}/${capabilityId}` };
        },
      },
    ],
  });
}
