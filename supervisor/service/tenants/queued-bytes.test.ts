import { expect } from 'chai';
import { queuedBytes } from './queued-bytes.ts';

describe('bytes of inputs that wait (gateway.md §18)', () => {
  it('are as many as may, of a tenant and in all, and free again', () => {
    const held = queuedBytes(10);
    expect([held.hold('a', 4, 5), held.hold('a', 2, 5), held.hold('a', 1, 5)]).to.deep.equal([
      null,
      'tenant_quota',
      null,
    ]);
    expect([held.hold('b', 6, null), held.hold('b', 5, null), held.hold('c', 1, null)]).to.deep.equal([
      'queue_full',
      null,
      'queue_full',
    ]);
    held.release('a', 4);
    expect([held.hold('c', 4, null), held.hold('a', 5, 5), held.hold('c', 1, null)]).to.deep.equal([
      null,
      'tenant_quota',
      'queue_full',
    ]);
  });

  it('are none where none may wait, but of inputs without bytes', () => {
    const held = queuedBytes(0);
    expect([held.hold('a', 0, 0), held.hold('a', 1, null)]).to.deep.equal([null, 'queue_full']);
  });
});
