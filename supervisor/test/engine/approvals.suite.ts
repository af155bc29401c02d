/** Questions in PostgreSQL, with the rows of their runs, and stores whose processes are killed (approvals.md). */
import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newRunReference } from '../../../contract/run-reference.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import type { Database } from '../../service/engine/database.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { openPostgresApprovals } from '../../service/engine/postgres-approvals.ts';
import { openPostgresJournal } from '../../service/engine/postgres-journal.ts';
import { makeTables, SCHEMA } from '../../service/engine/schema.ts';
import { approvalsOver } from '../../service/engine/testing/approvals-under-test.ts';
import type { ApprovalStore } from '../../service/stores/approval-store.ts';
import { fileApprovals } from '../../service/stores/file-approvals.ts';
import { storeAsker } from '../../service/stores/store-asker.ts';
import {
  ALLOW,
  DENY,
  holdsApprovalContract,
  ONE,
  question,
  START,
} from '../../service/stores/testing/approval-contract.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';
import { severableLink } from './severed-link.ts';

const CHILD = join(import.meta.dirname, 'approvals-child.ts');
const NEVER = new AbortController().signal;

interface ChildEnd {
  readonly signal: string | null;
  readonly stdout: string;
}

function runChild(args: readonly string[]): Promise<ChildEnd> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CHILD, ...args], (error, stdout) => resolve({ signal: error?.signal ?? null, stdout }));
  });
}

const TASKS = ['put', 'decide', 'expire'] as const;
type Task = (typeof TASKS)[number];

/** Processes that are killed at the same time. */
const TOGETHER = 4;

/** Kills one process at each effect of a task, and looks at what is left. */
async function killAround(
  task: Task,
  newPlace: () => string | Promise<string>,
  open: (place: string) => ApprovalStore,
): Promise<number> {
  const prepare = async (): Promise<string> => {
    const place = await newPlace();
    if (task !== 'put') await open(place).put(question('1'));
    return place;
  };
  const counts: Readonly<Record<string, number>> = JSON.parse((await runChild([await prepare(), task])).stdout);
  const kills = Object.entries(counts).flatMap(([step, count]) =>
    Array.from({ length: count }, (_, nth) => ['before', 'after'].map((when) => [step, String(nth), when])).flat(),
  );
  const waiting = [...kills];
  const work = async (): Promise<void> => {
    for (let kill = waiting.pop(); kill !== undefined; kill = waiting.pop()) await killAt(kill);
  };
  const killAt = async (kill: readonly string[]): Promise<void> => {
    const place = await prepare();
    const end = await runChild([place, task, ...kill]);
    const at = `${task} ${kill.join(' ')}`;
    expect(end.signal, at).to.equal('SIGKILL');
    await checkWhole(open(place), task, at);
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return kills.length;
}

/** All or nothing of what was being done is there, and exactly one decision counts from then on. */
async function checkWhole(store: ApprovalStore, task: Task, at: string): Promise<void> {
  const left = await store.get(ONE);
  if (left === null) {
    expect(task, at).to.equal('put');
    // `same`: it had its name, and is there to stay once somebody has cleared up after the process that died.
    expect(await store.put(question('1')), at).to.be.oneOf(['new', 'same']);
    expect((await store.get(ONE))?.request, at).to.deep.equal(question('1'));
  } else {
    expect(left.request, at).to.deep.equal(question('1'));
  }
  const word = await store.decide(ONE, null, ALLOW);
  const end = await store.get(ONE);
  if (word === 'decided') expect(end?.decision, at).to.deep.equal(ALLOW);
  else if (task === 'decide') expect([word, end?.decision], at).to.deep.equal(['already', DENY]);
  else expect([task, word, end?.decision, end?.isExpired], at).to.deep.equal(['expire', 'expired', null, true]);
  expect(await store.expire(ONE), at).to.deep.equal(end?.decision ?? null);
}

describe('approvals whose processes are killed at each write (approvals.md §11)', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-approvals-'));
    folders.push(folder);
    return folder;
  };
  // The end of a wait is written as a decision is.
  for (const task of ['put', 'decide'] as const)
    it(`leaves all or nothing in a directory: ${task}`, async function () {
      this.timeout(120_000);
      const open = (place: string): ApprovalStore => fileApprovals(publicationTools(), place, { now: () => START });
      expect(await killAround(task, newFolder, open)).to.be.at.least(10);
    });
});

const programs = findPostgresFor('approvals in PostgreSQL');
if (programs !== null) {
  describe('approvals in PostgreSQL (approvals.md §7)', () => {
    let server: PostgresServer;
    const opened: Database[] = [];
    const connect = (url: string): Database => {
      const database = openPostgresDatabase(url, { connections: 4 });
      opened.push(database);
      return database;
    };
    before(async () => {
      server = await startPostgres(programs);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
    });
    after(async () => server.close());

    describe('the store', () => {
      holdsApprovalContract(async () => {
        const url = server.newDatabase();
        await makeTables(connect(url));
        return approvalsOver(connect(url), connect(url));
      });
    });

    for (const task of TASKS)
      it(`leaves all or nothing where its process is killed at each statement: ${task}`, async function () {
        this.timeout(120_000);
        const newUrl = async (): Promise<string> => {
          const url = server.newDatabase();
          await makeTables(connect(url));
          return url;
        };
        expect(await killAround(task, newUrl, (url) => openPostgresApprovals(connect(url)))).to.be.at.least(4);
      });

    it('makes its tables for all that ask together on an empty database', async () => {
      const url = server.newDatabase();
      const stores = Array.from({ length: 4 }, () => openPostgresApprovals(connect(url)));
      expect(await Promise.all(stores.map((store, index) => store.put(question(String(index)))))).to.deep.equal(
        Array(4).fill('new'),
      );
    });

    describe('beside the row of its run', () => {
      const runRef = newRunReference(randomFillSync);
      const request = question('1', { runRef });
      let database: Database;
      let store: ApprovalStore;
      beforeEach(async () => {
        database = connect(server.newDatabase());
        store = openPostgresApprovals(database);
        await makeTables(database);
        const journal = openPostgresJournal(database);
        await journal.create({ runRef, tenant: 'local', requestHash: 'sha256:aa' });
        await journal.cas(runRef, 0, { state: 'accepted', effect: 'none' }, { state: 'claimed', effect: 'none' });
        await journal.cas(runRef, 1, { state: 'claimed', effect: 'none' }, { state: 'running', effect: 'none' });
      });
      const change = async (set: string): Promise<unknown> => database.query(`update ${SCHEMA}.runs set ${set}`);

      const ends: Readonly<Record<string, string>> = {
        'has finished': "state = 'finished'",
        'was cancelled': "state = 'cancelled'",
        'is lost': "state = 'lost'",
        'is to be cancelled': 'cancel_requested = true',
        'has lost its lease': "lease_until = clock_timestamp() - interval '1 millisecond'",
        'is another attempt by now': 'epoch = epoch + 1',
        'is not there any more': "run_ref = 'cmd-other'",
      };
      for (const [name, set] of Object.entries(ends))
        it(`decides nothing for a run that ${name}`, async () => {
          await store.put(request);
          expect((await store.get(ONE))?.isExpired).to.equal(false);
          await change(set);
          expect((await store.get(ONE))?.isExpired).to.equal(true);
          expect(await store.decide(ONE, null, ALLOW)).to.equal('expired');
        });

      it('decides while the lease lives', async () => {
        await store.put(request);
        await change("lease_until = clock_timestamp() + interval '1 hour'");
        expect(await store.decide(ONE, null, ALLOW)).to.equal('decided');
        await change("state = 'finished', lease_until = null");
        expect((await store.get(ONE))?.decision).to.deep.equal(ALLOW);
        expect(await store.decide(ONE, null, DENY)).to.equal('already');
      });

      it('takes no question of a run that has ended', async () => {
        await change("state = 'finished'");
        const fault: unknown = await store.put(request).catch((error: unknown) => error);
        expect(fault).to.have.property('name', 'StoreError');
        expect(await store.list({ tenant: null })).to.deep.equal([]);
      });

      it('hands a question on to the attempt that asks it again, and to nobody else', async () => {
        await store.put(request);
        await change('epoch = epoch + 1');
        expect(await store.put(request)).to.equal('same');
        expect(await store.decide(ONE, null, ALLOW)).to.equal('decided');
        const foreign: unknown = await store.put({ ...request, tenant: 'other' }).catch((error: unknown) => error);
        expect(foreign).to.have.property('name', 'StoreError');
      });
    });

    it('waits on while its database is away, and has the decision once it is back', async function () {
      this.timeout(60_000);
      const url = server.newDatabase();
      await makeTables(connect(url));
      const link = await severableLink(server.socket);
      const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
      const far = connect(`postgres://svc@127.0.0.1:${link.port}/${name}`);
      const reported = Promise.withResolvers<void>();
      const asking = storeAsker(openPostgresApprovals(far), () => reported.resolve()).ask(question('1'), NEVER);
      await reported.promise;
      link.cut('both');
      expect(await openPostgresApprovals(connect(url)).decide(ONE, null, DENY)).to.equal('decided');
      link.mend();
      expect(await asking).to.deep.equal(DENY);
      await link.close();
    });

    it('reports that it is away at once where a question cannot be put', async () => {
      const store = openPostgresApprovals(connect('postgres://svc@127.0.0.1:1/none'));
      const fault: unknown = await store.put(question('1')).catch((error: unknown) => error);
      expect(fault).to.have.property('name', 'StoreError');
    });
  });
}
