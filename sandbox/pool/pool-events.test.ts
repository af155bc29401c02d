import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { PREAMBLE } from '../testing/rogue-preamble.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../testing/requests.ts';
import { RAW_GUEST, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import { everywhere } from '../../scripts/build-snapshot.ts';
import type { GuestOutcome, EvaluateReply } from '../../contract/sandbox-protocol.ts';
import type { BoundedSandbox } from './interface.ts';
import type { SandboxOptions } from './options.ts';
import { STDERR_CHARACTERS, type PoolEvent } from './pool-event.ts';
import { startSandbox } from './pool.ts';

const WITHIN = { timeoutMs: 60_000 };

describe('what a pool tells of its processes', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: RAW_GUEST }), { isolatesPerHost: 2 });
  let events: PoolEvent[];
  let sandbox: BoundedSandbox;
  const files: string[] = [];
  const start = (over: Partial<SandboxOptions> = {}): void => {
    events = [];
    sandbox = startSandbox({ ...built.options, onEvent: (event) => events.push(event), ...over });
  };
  afterEach(async () => {
    await sandbox.close();
    await Promise.all(files.splice(0).map((file) => rm(file, { force: true })));
  });

  const ask = async (source: string, timeoutMs = WITHIN.timeoutMs): Promise<GuestOutcome<EvaluateReply>> =>
    (await sandbox.openIsolate({ environment: 'mission', trustDomain: 'run', heapWords: MISSION_HEAP_WORDS })).request(
      evaluation(source),
      { timeoutMs },
    );
  const words = (): readonly string[] =>
    events.map(
      (reported) =>
        `${reported.event}${'host' in reported ? ` ${reported.host}` : ''}${'reason' in reported ? ` ${reported.reason}` : ''}${'how' in reported ? ` ${reported.how}` : ''}`,
    );
  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(built.options.readableFolders[0] ?? '', name);
    await writeFile(path, content);
    files.push(path);
    return path;
  };

  it('is that hosts start, and end when nobody needs them', async () => {
    start();
    await ask('return 1');
    await sandbox.close();
    expect(words()).to.deep.equal(['host_started 1', 'host_ended 1 unneeded']);
    expect(events[0]).to.have.property('pid').that.is.a('number');
  });

  it('is why one was killed, and what replaces it', async () => {
    start();
    await ask('Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', 100);
    await ask('return 1');
    expect(words()).to.deep.equal([
      'host_started 1',
      'host_started 2',
      'host_replaced 1',
      'host_killed 1 does_not_stop',
      'host_ended 1 does_not_stop',
    ]);
    const ended = events.find(({ event }) => event === 'host_ended');
    expect(ended).to.include({ signal: 'SIGKILL', code: null });
    expect(events.find(({ event }) => event === 'host_replaced')).to.deep.equal({
      event: 'host_replaced',
      host: 1,
      by: 2,
    });
  });

  it('is how one died of its own, and the last of what it wrote', async () => {
    const hostScript = await file(
      'dies.cjs',
      `${PREAMBLE}\nopening(() => { require('node:fs').writeSync(2, 'x'.repeat(${2 * STDERR_CHARACTERS}) + 'last words'); process.exit(3); });`,
    );
    start({ hostScript });
    expect(verdictOf(await ask('1'))).to.equal('host_lost/exited');
    const ended = events.find((reported) => reported.event === 'host_ended');
    expect(ended).to.include({ how: 'exited', code: 3, isolates: 1 });
    expect(ended)
      .to.have.property('stderr')
      .that.has.length(STDERR_CHARACTERS)
      .and.matches(/^x+last words$/);
  });

  it('is that one broke the protocol, or wrote without an end', async () => {
    for (const [script, reason] of [
      [`opening(() => send(frame(2, '1', 'x')));`, 'protocol_violation'],
      [
        `opening(() => { const { writeSync } = require('node:fs'); for (;;) { try { writeSync(2, 'x'.repeat(65536)); } catch {} } });`,
        'stderr_flood',
      ],
      [`onCall((call) => reply(call.id, 'perhaps'));`, 'opens_nothing'],
    ] as const) {
      start({ hostScript: await file(`${reason}.cjs`, `${PREAMBLE}\n${script}`) });
      await ask('1');
      expect(words()).to.include.members([`host_killed 1 ${reason}`, `host_ended 1 ${reason}`]);
      await sandbox.close();
    }
  });

  it('reaches a listener that throws, rejects, or closes the pool, without harm', async () => {
    for (const onEvent of [
      () => {
        throw new Error('mistaken');
      },
      (() => Promise.reject(new Error('mistaken'))) as () => void,
    ]) {
      start({ onEvent });
      expect(textOf(await ask('return 2'))).to.equal('2');
      await sandbox.close();
    }
    start({
      onEvent: ({ event }) => {
        if (event === 'host_killed') void sandbox.close();
      },
    });
    expect(verdictOf(await ask('Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', 100))).to.equal('timeout');
  });

  describe('of a guest image', () => {
    const cases: readonly (readonly [string, (image: Buffer, path: string) => Promise<void>])[] = [
      ['that is not there', (_, path) => rm(path)],
      ['that is empty', (_, path) => truncate(path, 0)],
      ['that is cut', (image, path) => truncate(path, image.length >> 1)],
      ['that is something else', (_, path) => writeFile(path, 'no image at all')],
      [
        'whose snapshot was changed',
        (image, path) => {
          const changed = Buffer.from(image);
          for (let at = 4096; at < changed.length; at += 997) changed[at] = (changed[at] ?? 0) ^ 0x55;
          return writeFile(path, changed);
        },
      ],
    ];
    for (const [title, breakIt] of cases) {
      it(`${title}: that it is broken, and no word of memory`, async () => {
        const image = await readFile(built.options.guestImage);
        const guestImage = await file('broken.image', image);
        await breakIt(image, guestImage);
        start({ guestImage });
        expect(verdictOf(await ask('return 1'))).to.equal('host_lost/image');
        expect(events.find(({ event }) => event === 'open_failed')).to.include({
          environment: 'mission',
          reason: 'image',
        });
      });
    }

    it('that is whole: that a host which cannot open has another reason', async () => {
      const hostScript = await file('empty.cjs', '');
      start({ hostScript });
      expect(verdictOf(await ask('return 1'))).to.equal('host_lost/exited');
      expect(events.find(({ event }) => event === 'open_failed')).to.include({ reason: 'host' });
    });
  });
});
