import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import type { ApprovalStore } from './approval-store.ts';
import { fileApprovals } from './file-approvals.ts';
import { createMemoryApprovals } from './memory-approvals.ts';
import { storeAsker } from './store-asker.ts';

const START = Date.parse('2030-01-02T03:04:05.000Z');

function question(id: string, over: Partial<ApprovalRequest> = {}): ApprovalRequest {
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

const ALLOW: ApprovalDecision = { decision: 'allow', scope: 'once', by: 'cli' };
const DENY: ApprovalDecision = { decision: 'deny', scope: 'tool', by: 'api', reason: 'no “way”\n', principal: 'ann' };
const ONE = question('1').approvalId;

interface Made {
  readonly store: ApprovalStore;
  /** The same questions, as another process has them; null where there is none. */
  readonly other: (() => ApprovalStore) | null;
  readonly pass: (milliseconds: number) => void;
}

describe('stores of approvals (approvals.md §7)', () => {
  let folder = '';
  let ignored: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-approvals-'));
    ignored = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const kinds: Readonly<Record<string, () => Made>> = {
    memory: () => {
      let now = START;
      return { store: createMemoryApprovals(() => now), other: null, pass: (milliseconds) => (now += milliseconds) };
    },
    directory: () => {
      let now = START;
      const open = (): ApprovalStore =>
        fileApprovals(publicationTools(), folder, { now: () => now, ignored: (name) => ignored.push(name) });
      return { store: open(), other: open, pass: (milliseconds) => (now += milliseconds) };
    },
  };

  for (const [name, make] of Object.entries(kinds)) {
    describe(name, () => {
      it('has what was put, once', async () => {
        const { store } = make();
        expect(await store.get(ONE)).to.equal(null);
        expect(await store.list({ tenant: null })).to.deep.equal([]);
        expect(await store.put(question('1'))).to.equal('new');
        expect(await store.put(question('1'))).to.equal('same');
        expect(await store.get(ONE)).to.deep.equal({ request: question('1'), decision: null, isExpired: false });
      });

      it('keeps the first decision whole, and says that there is one', async () => {
        const { store, other } = make();
        await store.put(question('1'));
        expect(await store.decide(ONE, null, DENY)).to.equal('decided');
        const again = other?.() ?? store;
        expect(await again.decide(ONE, null, ALLOW)).to.equal('already');
        expect((await again.get(ONE))?.decision).to.deep.equal(DENY);
      });

      it('decides exactly once however many decide together', async () => {
        const { store, other } = make();
        await store.put(question('1'));
        const stores = Array.from({ length: 16 }, () => other?.() ?? store);
        const outcomes = await Promise.all(
          stores.map((own, index) => own.decide(ONE, null, index % 2 === 0 ? ALLOW : DENY)),
        );
        expect(outcomes.filter((outcome) => outcome === 'decided')).to.have.length(1);
        expect(outcomes.filter((outcome) => outcome === 'already')).to.have.length(15);
      });

      it('knows no question of another tenant', async () => {
        const { store } = make();
        await store.put(question('1', { tenant: 'acme' }));
        await store.put(question('2', { tenant: 'other', askedAt: '2030-01-02T03:04:04.000000Z' }));
        expect(await store.decide(ONE, 'other', ALLOW)).to.equal('unknown');
        expect(await store.decide(ONE, null, ALLOW)).to.equal('unknown');
        expect(await store.decide('apr-x', 'acme', ALLOW)).to.equal('unknown');
        expect(await store.decide('../../etc/passwd', 'acme', ALLOW)).to.equal('unknown');
        expect((await store.list({ tenant: 'acme' })).map(({ request }) => request.tenant)).to.deep.equal(['acme']);
        expect((await store.list({ tenant: null })).map(({ request }) => request.tenant)).to.deep.equal([
          'other',
          'acme',
        ]);
        expect(await store.decide(ONE, 'acme', ALLOW)).to.equal('decided');
      });

      it('expires by its clock at that millisecond, and takes no decision then', async () => {
        const { store, pass } = make();
        await store.put(question('1'));
        pass(599_999);
        expect((await store.get(ONE))?.isExpired).to.equal(false);
        pass(1);
        expect((await store.get(ONE))?.isExpired).to.equal(true);
        expect(await store.decide(ONE, null, ALLOW)).to.equal('expired');
      });

      it('takes no decision about a question that nobody waits for, and keeps one that came before', async () => {
        const { store } = make();
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
          const { store, other } = make();
          const request = question(String(round + 10));
          await store.put(request);
          const [outcome] = await Promise.all([
            store.decide(request.approvalId, null, ALLOW),
            (other?.() ?? store).expire(request.approvalId),
          ]);
          const kept = await store.get(request.approvalId);
          expect([outcome, kept?.decision !== null, kept?.isExpired]).to.deep.equal(
            outcome === 'decided' ? ['decided', true, false] : ['expired', false, true],
          );
        }
      });

      it('removes, and does nothing a second time', async () => {
        const { store } = make();
        await store.put(question('1'));
        await store.decide(ONE, null, ALLOW);
        await store.remove(ONE);
        await store.remove(ONE);
        expect(await store.get(ONE)).to.equal(null);
        expect(await store.put(question('1'))).to.equal('new');
      });

      it('brings an answer to who asks, and nothing once that one is gone', async () => {
        const { store, other } = make();
        const told: string[] = [];
        const asker = storeAsker(store, ({ tool }) => told.push(tool));
        const asked = asker.ask(question('1'), new AbortController().signal);
        while (told.length === 0) await new Promise(setImmediate);
        await (other?.() ?? store).decide(ONE, null, DENY);
        expect(await asked).to.deep.equal(DENY);
        const gone = new AbortController();
        const second = asker.ask(question('2'), gone.signal);
        while (told.length === 1) await new Promise(setImmediate);
        gone.abort();
        expect(await second).to.deep.equal({ unavailable: 'store_unavailable' });
        expect(await store.decide(question('2').approvalId, null, ALLOW)).to.equal('expired');
      });
    });
  }

  describe('files', () => {
    const path = (name: string): string => join(folder, 'approvals', name);

    it('are this user’s alone', async () => {
      const store = fileApprovals(publicationTools(), folder, { now: () => START });
      await store.put(question('1'));
      await store.decide(ONE, null, ALLOW);
      expect(statSync(join(folder, 'approvals')).mode & 0o777).to.equal(0o700);
      expect(readdirSync(join(folder, 'approvals')).toSorted()).to.deep.equal([`${ONE}.decision.json`, `${ONE}.json`]);
      for (const name of readdirSync(join(folder, 'approvals')))
        expect(statSync(path(name)).mode & 0o777).to.equal(0o600);
    });

    const broken: Readonly<Record<string, () => void>> = {
      'readable by others': () => {
        writeFileSync(path(`${ONE}.decision.json`), '{}', { mode: 0o644 });
        chmodSync(path(`${ONE}.decision.json`), 0o644);
      },
      torn: () => writeFileSync(path(`${ONE}.decision.json`), '{"version":1,"appr', { mode: 0o600 }),
      'of other arguments': () =>
        writeFileSync(
          path(`${ONE}.decision.json`),
          JSON.stringify({
            version: 1,
            approval_id: ONE,
            decision: 'allow',
            scope: 'once',
            by: 'cli',
            arguments_hash: '0'.repeat(64),
          }),
          { mode: 0o600 },
        ),
      'of another question': () =>
        writeFileSync(
          path(`${ONE}.decision.json`),
          JSON.stringify({
            version: 1,
            approval_id: question('2').approvalId,
            decision: 'allow',
            scope: 'once',
            by: 'cli',
            arguments_hash: 'f'.repeat(64),
          }),
          { mode: 0o600 },
        ),
    };
    for (const [kind, damage] of Object.entries(broken))
      it(`take a decision for none that is ${kind}, say so, and stay open`, async () => {
        const store = fileApprovals(publicationTools(), folder, {
          now: () => START,
          ignored: (name) => ignored.push(name),
        });
        await store.put(question('1'));
        damage();
        expect(await store.get(ONE)).to.include({ decision: null, isExpired: false });
        expect(ignored).to.include(`${ONE}.decision.json`);
      });

    it('take a question for none that is torn or has another name', async () => {
      const store = fileApprovals(publicationTools(), folder, {
        now: () => START,
        ignored: (name) => ignored.push(name),
      });
      await store.put(question('1'));
      writeFileSync(path(`${question('2').approvalId}.json`), JSON.stringify({ version: 1, ...question('1') }), {
        mode: 0o600,
      });
      writeFileSync(path(`${question('3').approvalId}.json`), '[]', { mode: 0o600 });
      writeFileSync(path('other.json'), '{}', { mode: 0o600 });
      expect((await store.list({ tenant: null })).map(({ request }) => request.approvalId)).to.deep.equal([ONE]);
      expect(ignored).to.have.length(2);
    });

    it('refuse a folder that others can look into', async () => {
      const store = fileApprovals(publicationTools(), folder, { now: () => START });
      await store.put(question('1'));
      chmodSync(join(folder, 'approvals'), 0o755);
      let fault: unknown = null;
      await store.get(ONE).catch((error: unknown) => (fault = error));
      expect(fault).to.have.property('name', 'StoreError');
    });

    it('make nothing to look for what is not there', async () => {
      const store = fileApprovals(publicationTools(), join(folder, 'none'), { now: () => START });
      expect(await store.list({ tenant: null })).to.deep.equal([]);
      expect(existsSync(join(folder, 'none'))).to.equal(false);
    });
  });
});
