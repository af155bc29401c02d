import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OwnerProbe } from '../../evidence/publication/owner.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import type { ApprovalStore } from './approval-store.ts';
import { fileApprovals } from './file-approvals.ts';
import { createMemoryApprovals } from './memory-approvals.ts';
import {
  ALLOW,
  holdsApprovalContract,
  ONE,
  question,
  START,
  type ApprovalsUnderTest,
} from './testing/approval-contract.ts';

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

  const kinds: Readonly<Record<string, () => ApprovalsUnderTest>> = {
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
      holdsApprovalContract(make);
    });
  }

  describe('files', () => {
    const path = (name: string): string => join(folder, 'approvals', name);

    it('are of a process that waits for them: once it has died, nobody may decide any more', async () => {
      const tools = publicationTools();
      const own = await tools.owners.self();
      // Nothing has this pid: it is beyond what a system gives.
      const dead: OwnerProbe = { ...tools.owners, self: async () => ({ ...own, pid: 2 ** 30 }) };
      const elsewhere: OwnerProbe = { ...tools.owners, self: async () => ({ ...own, namespace: 'pid:[1]' }) };
      const reader = fileApprovals(tools, folder, { now: () => START });
      for (const [id, owners, isExpired] of [
        ['1', tools.owners, false],
        ['2', dead, true],
        ['3', elsewhere, false],
      ] as const) {
        const asker = fileApprovals({ ...tools, owners }, folder, { now: () => START, isOfProcess: true });
        await asker.put(question(id));
        expect(await reader.get(question(id).approvalId), id).to.include({ isExpired, decision: null });
      }
      expect((await reader.list({ tenant: null })).map(({ isExpired }) => isExpired)).to.have.members([
        false,
        true,
        false,
      ]);
      expect(await reader.decide(question('2').approvalId, null, ALLOW)).to.equal('expired');
      expect(await reader.decide(question('1').approvalId, null, ALLOW)).to.equal('decided');
    });

    it('are of no process where a run outlives its own, as a durable one does', async () => {
      const tools = publicationTools();
      const own = await tools.owners.self();
      const owners: OwnerProbe = { ...tools.owners, self: async () => ({ ...own, pid: 2 ** 30 }) };
      const store = fileApprovals({ ...tools, owners }, folder, { now: () => START });
      await store.put(question('1'));
      expect(await store.get(ONE)).to.include({ isExpired: false });
    });

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
