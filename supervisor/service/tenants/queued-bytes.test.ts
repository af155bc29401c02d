import { expect } from 'chai';
import { queuedBytes } from './queued-bytes.ts';

describe('bytes of inputs that wait (gateway.md §18)', () => {
  it('are as many as may, of a tenant and in all, and free again', () => {
    const acquired = queuedBytes(10);
    expect([acquired.hold('a', 4, 5), acquired.hold('a', 2, 5), acquired.hold('a', 1, 5)]).to.deep.equal([
      null,
      'tenant_quota',
      null,
    ]);
    expect([acquired.hold('b', 6, null), acquired.hold('b', 5, null), acquired.hold('c', 1, null)]).to.deep.equal([
      'queue_full',
      null,
      'queue_full',
    ]);
    acquired.release('a', 4);
    expect([acquired.hold('c', 4, null), acquired.hold('a', 5, 5), acquired.hold('c', 1, null)]).to.deep.equal([
      null,
      'tenant_quota',
      'queue_full',
    ]);
  });

  it('are none where none may wait, but of inputs without bytes', () => {
    const acquired = queuedBytes(0);
    expect([acquired.hold('a', 0, 0), acquired.hold('a', 1, null)]).to.deep.equal([null, 'queue_full']);
  });
});
