import { expect } from 'chai';
import type { ApprovalDecision, ApprovalRequest } from '../../../../contract/approval.ts';
import type { ApprovalStore } from '../approval-store.ts';
import { storeAsker } from '../store-asker.ts';

/** When the clock of a store under test begins, milliseconds since 1970. */
export const START = Date.parse('2030-01-02T03:04:05.000Z');

/** A question that a store is given. */
export function question(id: string, over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    approvalId: `apr-${id.padStart(26, '0')}`,
    runRef: 'cmd-0k3abcdefghjkmnpqrstvwxyz',
    application: 'desk',
    tenant: null,
    principal: null,
    mission: 'desk',
    evaluationId: 'mission-evaluation-1',
    tool: 'tickets.close',
    installation: 'tickets',
    upstreamName: null,
    effect: 'write',
    description: 'Closes a ticket.',
    arguments: '{"id":1}',
    argumentBytes: 8,
    argumentsHash: 'f'.repeat(64),
    program: null,
    isPrivate: false,
    branch: null,
    askedAt: '2030-01-02T03:04:05.000000Z',
    expiresAt: '2030-01-02T03:14:05.000000Z',
    askedBefore: 0,
    rememberedDenials: 0,
    ...over,
  };
}

export const ALLOW: ApprovalDecision = { decision: 'allow', scope: 'once', by: 'cli' };
export const DENY: ApprovalDecision = {
  decision: 'deny',
  scope: 'tool',
  by: 'api',
  reason: 'no “way”\n',
  principal: 'ann',
};
export const ONE = question('1').approvalId;

const NEVER = new AbortController().signal;

/** A store of questions, empty, and what only tests may do to it. */
export interface ApprovalsUnderTest {
  readonly store: ApprovalStore;
  /** The same questions, as another process has them; null where there is none. */
  readonly other: (() => ApprovalStore) | null;
  /** Moves its clock on. */
  readonly pass: (milliseconds: number) => unknown;
}

/** What every store of approvals holds (approvals.md §7). */
export function holdsApprovalContract(make: () => ApprovalsUnderTest | Promise<ApprovalsUnderTest>): void {
  it('has what was put, once', async () => {
    const { store } = await make();
    expect(await store.get(ONE)).to.equal(null);
    expect(await store.list({ tenant: null })).to.deep.equal([]);
    expect(await store.put(question('1'))).to.equal('new');
    expect(await store.put(question('1'))).to.equal('same');
    expect(await store.get(ONE)).to.deep.equal({ request: question('1'), decision: null, isExpired: false });
  });

  it('keeps the first decision whole, and says that there is one', async () => {
    const { store, other } = await make();
    await store.put(question('1'));
    expect(await store.decide(ONE, null, DENY)).to.equal('decided');
    const again = other?.() ?? store;
    expect(await again.decide(ONE, null, ALLOW)).to.equal('already');
    expect((await again.get(ONE))?.decision).to.deep.equal(DENY);
  });

  it('decides exactly once however many decide together', async () => {
    const { store, other } = await make();
    await store.put(question('1'));
    const stores = Array.from({ length: 16 }, () => other?.() ?? store);
    const outcomes = await Promise.all(
      stores.map((own, index) => own.decide(ONE, null, index % 2 === 0 ? ALLOW : DENY)),
    );
    expect(outcomes.filter((outcome) => outcome === 'decided')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'already')).to.have.length(15);
  });

  it('knows no question of another tenant', async () => {
    const { store } = await make();
    await store.put(question('1', { tenant: 'acme' }));
    await store.put(question('2', { tenant: 'other', askedAt: '2030-01-02T03:04:04.000000Z' }));
    expect(await store.decide(ONE, 'other', ALLOW)).to.equal('unknown');
    expect(await store.decide(ONE, null, ALLOW)).to.equal('unknown');
    expect(await store.decide('apr-x', 'acme', ALLOW)).to.equal('unknown');
    expect(await store.decide('../../etc/passwd', 'acme', ALLOW)).to.equal('unknown');
    expect((await store.list({ tenant: 'acme' })).map(({ request }) => request.tenant)).to.deep.equal(['acme']);
    expect((await store.list({ tenant: null })).map(({ request }) => request.tenant)).to.deep.equal(['other', 'acme']);
    expect(await store.decide(ONE, 'acme', ALLOW)).to.equal('decided');
  });

  it('expires by its clock at that millisecond, and takes no decision then', async () => {
    const { store, pass } = await make();
    await store.put(question('1'));
    await pass(599_999);
    expect((await store.get(ONE))?.isExpired).to.equal(false);
    await pass(1);
    expect((await store.get(ONE))?.isExpired).to.equal(true);
    expect(await store.decide(ONE, null, ALLOW)).to.equal('expired');
  });

  it('takes no decision about a question that nobody waits for, and keeps one that came before', async () => {
    const { store } = await make();
    await store.put(question('1'));
    await store.put(question('2'));
    await store.expire(ONE);
    expect(await store.decide(ONE, null, ALLOW)).to.equal('expired');
    const two = question('2').approvalId;
    await store.decide(two, null, ALLOW);
    await store.expire(two);
    expect((await store.get(two))?.decision).to.deep.equal(ALLOW);
    expect(await store.decide(two, null, DENY)).to.equal('already');
  });

  it('lets decision and end of the wait come together, and one of them wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { store, other } = await make();
      const request = question(String(round + 10));
      await store.put(request);
      const [outcome] = await Promise.all([
        store.decide(request.approvalId, null, ALLOW),
        (other?.() ?? store).expire(request.approvalId),
      ]);
      const storedApproval = await store.get(request.approvalId);
      expect([outcome, storedApproval?.decision !== null, storedApproval?.isExpired]).to.deep.equal(
        outcome === 'decided' ? ['decided', true, false] : ['expired', false, true],
      );
    }
  });

  it('gives whoever ends a question the decision that came first, and none where there is none', async () => {
    const { store, other } = await make();
    const two = question('2').approvalId;
    await store.put(question('1'));
    await store.put(question('2'));
    await (other?.() ?? store).decide(ONE, null, DENY);
    expect(await store.expire(ONE)).to.deep.equal(DENY);
    expect(await store.expire(two)).to.equal(null);
    expect(await store.expire(two)).to.equal(null);
    expect(await store.expire(question('3').approvalId)).to.equal(null);
  });

  it('reports each decision to who watches, also of questions that came later', async () => {
    const { store, other } = await make();
    const ids = new Set([ONE]);
    const watching = store.watch(ids, NEVER);
    const two = question('2').approvalId;
    for (const id of ['1', '2', '3']) await store.put(question(id));
    ids.add(two);
    // Nobody watches for it.
    await (other?.() ?? store).decide(question('3').approvalId, null, ALLOW);
    await (other?.() ?? store).decide(two, null, ALLOW);
    expect(await watching).to.deep.equal([two]);
    ids.delete(two);
    await (other?.() ?? store).decide(ONE, null, ALLOW);
    expect(await store.watch(ids, NEVER)).to.deep.equal([ONE]);
    expect(await store.watch(new Set([two]), NEVER)).to.deep.equal([two]);
  });

  it('watches no longer than it is wanted', async () => {
    const { store } = await make();
    await store.put(question('1'));
    const wanted = new AbortController();
    const watching = store.watch(new Set([ONE]), wanted.signal);
    setImmediate(() => wanted.abort());
    expect(await watching).to.deep.equal([]);
    expect(await store.watch(new Set([ONE]), wanted.signal)).to.deep.equal([]);
  });

  it('keeps a question for a day after its end, and forgets it when somebody asks next', async () => {
    const { store, pass, other } = await make();
    await store.put(question('1'));
    if (other === null) return;
    await pass(86_400_000 + 600_000);
    await other().put(question('2', { expiresAt: '2030-02-02T03:14:05.000000Z' }));
    expect(await store.get(ONE)).to.include({ isExpired: true });
    await pass(1);
    await other().put(question('3', { expiresAt: '2030-02-02T03:14:05.000000Z' }));
    expect(await store.get(ONE)).to.equal(null);
  });

  it('keeps whatever a text may hold', async () => {
    const { store } = await make();
    const hostile = question('1', {
      arguments: '{"a":"\u0000\ud800"}\u0000\ud800',
      program: '\u202e\u001b[2J',
      tool: '💥',
    });
    await store.put(hostile);
    await store.decide(ONE, null, { ...DENY, reason: '\u0000\ud800💥' });
    expect((await store.get(ONE))?.request).to.deep.equal(hostile);
    expect((await store.get(ONE))?.decision?.reason).to.equal('\u0000\ud800💥');
  });

  it('removes, and does nothing a second time', async () => {
    const { store } = await make();
    await store.put(question('1'));
    await store.decide(ONE, null, ALLOW);
    await store.remove(ONE);
    await store.remove(ONE);
    expect(await store.get(ONE)).to.equal(null);
    expect(await store.put(question('1'))).to.equal('new');
  });

  it('brings an answer to who asks, and nothing once that one is gone', async () => {
    const { store, other } = await make();
    const reported: string[] = [];
    const asker = storeAsker(store, ({ tool }) => reported.push(tool));
    const requested = asker.ask(question('1'), new AbortController().signal);
    while (reported.length === 0) await new Promise(setImmediate);
    await (other?.() ?? store).decide(ONE, null, DENY);
    expect(await requested).to.deep.equal(DENY);
    const closed = new AbortController();
    const second = asker.ask(question('2'), closed.signal);
    while (reported.length === 1) await new Promise(setImmediate);
    closed.abort();
    expect(await second).to.deep.equal({ unavailable: 'store_unavailable' });
    expect(await store.decide(question('2').approvalId, null, ALLOW)).to.equal('expired');
  });
}
