import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSandbox } from '../../pool/pool.ts';
import { processesNaming } from '../../testing/processes.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../../testing/requests.ts';
import { PREAMBLE } from '../../testing/rogue-preamble.ts';
import { rogueHosts } from './rogue-hosts.ts';

/** A whole one, though no rogue reads it: of a broken one the pool would tell. */
const GUEST_IMAGE = join(import.meta.dirname, '../../../dist/guest.snapshot');
/** Nothing outlives it (design.md §1.3): what did would end in the limit of its test. */
const DEADLINE_MS = 500;
/** For what another guard than the deadline must end, however busy the machine is. */
const AMPLE_MS = 60_000;

describe('a host that is not ours', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-rogue-'));
  });
  after(async () => {
    expect(await processesNaming(folder)).to.deep.equal([]);
    await rm(folder, { recursive: true, force: true });
  });

  it('is known by ids of its own', () => {
    expect(new Set(rogueHosts.map(({ id }) => id)).size).to.equal(rogueHosts.length);
  });

  for (const { id, title, script, expected } of rogueHosts) {
    it(`${id}: ${title}`, async () => {
      const hostScript = join(folder, `${id}.cjs`);
      await writeFile(hostScript, `${PREAMBLE}\n${script}\n`);
      const polluted = Object.getOwnPropertyNames(Object.prototype).length;
      const sandbox = startSandbox({
        hostScript,
        guestImage: GUEST_IMAGE,
        readableFolders: [folder],
        isolatesPerHost: 4,
      });
      const reached: string[] = [];
      try {
        const isolate = await sandbox.openIsolate({
          environment: 'mission',
          trustDomain: 'rogue',
          heapWords: MISSION_HEAP_WORDS,
        });
        const outcome = await isolate.request(evaluation('1'), {
          timeoutMs: expected.includes('timeout') ? DEADLINE_MS : AMPLE_MS,
          onCapabilityCall(call) {
            reached.push(call.name);
            return new Promise(() => undefined);
          },
        });
        expect(verdictOf(outcome), textOf(outcome) ?? '').to.be.oneOf(expected);
        expect(reached.length).to.be.below(2);
      } finally {
        await sandbox.close();
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).to.have.length(polluted);
      expect(await processesNaming(hostScript)).to.deep.equal([]);
    });
  }
});
