import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/pool/pool.ts';
import { processesNaming } from './processes.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from './requests.ts';
import { PREAMBLE, rogueHosts } from './rogue-hosts.ts';

const DEADLINE_MS = 500;
const BEYOND_MS = 1000;
/** What the pool waits for the first isolate of a process, and for that of the process that it tries next. */
const MAKING_MS = 20_000;

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

  for (const { id, title, script, expected, makesNone } of rogueHosts) {
    it(`${id}: ${title}`, async () => {
      const hostScript = join(folder, `${id}.cjs`);
      await writeFile(hostScript, `${PREAMBLE}\n${script}\n`);
      const polluted = Object.getOwnPropertyNames(Object.prototype).length;
      const sandbox = startSandbox({ hostScript, guestImage: join(folder, id), readableFolders: [folder], isolatesPerHost: 4 });
      const reached: string[] = [];
      try {
        const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'rogue', heapWords: MISSION_HEAP_WORDS });
        const started = performance.now();
        const outcome = await isolate.request(evaluation('1'), {
          timeoutMs: DEADLINE_MS,
          onCapabilityCall(call) {
            reached.push(call.name);
            return new Promise(() => undefined);
          },
        });
        expect(verdictOf(outcome), textOf(outcome) ?? '').to.be.oneOf(expected);
        // A guard, not a speed: nothing outlives its deadline (architecture.md §1.3).
        expect(performance.now() - started).to.be.below((makesNone === true ? MAKING_MS : DEADLINE_MS) + BEYOND_MS);
        expect(reached.length).to.be.below(2);
      } finally {
        await sandbox.close();
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).to.have.length(polluted);
      expect(await processesNaming(hostScript)).to.deep.equal([]);
    });
  }
});
