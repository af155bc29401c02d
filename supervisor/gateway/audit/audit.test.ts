import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { decodeOwner, encodeOwner, processOwnerProbe } from '../../evidence/publication/owner.ts';
import { Crash, faultyFileSystem, type Injection } from '../../evidence/publication/testing/faulty-file-system.ts';
import { afterDeath, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { openAudit, type Audit, type AuditOptions } from './audit.ts';
import { fileName } from './directory.ts';
import { RECORD_BYTES, intentLine, outcomeLine, unendedCalls, type AuditedCall } from './record.ts';

const call = (nth: number): AuditedCall => ({
  call_id: nth.toString(16).padStart(32, '0'),
  run_ref: `cmd-${nth}`,
  tool_name: 'write',
  application_content_digest: `sha256:${'a'.repeat(64)}`,
  started_at: '2030-01-02T03:04:05.006Z',
  principal: 'gateway',
});
const OK = {
  outcome_code: 'success',
  dispatch_state: 'true',
  write_effects_may_have_occurred: true,
  disconnected: false,
  cleanup_status: 'complete',
} as const;
const ended = (nth: number): Buffer => outcomeLine(call(nth), OK, '2030-01-02T03:04:05.007Z');

describe('the private audit (gateway.md §11)', () => {
  let parent: string;
  let directory: string;
  beforeEach(async () => {
    parent = await scratchDirectory();
    directory = join(parent, 'audit');
    mkdirSync(directory, { mode: 0o700 });
  });
  afterEach(async () => removeScratch(parent));

  const open = (changes: Partial<AuditOptions> = {}): Promise<Audit | null> =>
    openAudit({
      fileSystem: nodeFileSystem(),
      owners: processOwnerProbe(),
      directory,
      maxFileBytes: 1024 * 1024,
      maxRetainedFiles: 3,
      now: () => '2030-01-02T03:04:06.000Z',
      onFence: () => undefined,
      ...changes,
    });
  async function opened(changes: Partial<AuditOptions> = {}): Promise<Audit> {
    const audit = await open(changes);
    if (audit === null) throw new Error('it opens');
    return audit;
  }
  const names = (): readonly string[] => readdirSync(directory).toSorted();
  const lines = (sequence: bigint): readonly Readonly<Record<string, unknown>>[] =>
    readFileSync(join(directory, fileName(sequence)), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('begins a new file each time, and leaves no lock behind', async () => {
    const first = await opened();
    expect(names()).to.deep.equal(['00000000000000000001.jsonl', 'lock']);
    expect(statSync(join(directory, fileName(1n))).mode & 0o7777).to.equal(0o600);
    expect(await first.append(intentLine(call(1)))).to.equal(true);
    expect(await first.append(ended(1))).to.equal(true);
    expect(await first.close()).to.equal(true);
    expect(lines(1n)).to.deep.equal([
      {
        ...call(1),
        record: 'intent',
        dispatch_state: 'false',
        write_effects_may_have_occurred: false,
        disconnected: false,
        cleanup_status: 'complete',
      },
      { ...call(1), ...OK, record: 'outcome', ended_at: '2030-01-02T03:04:05.007Z' },
    ]);
    const second = await opened();
    expect(await second.append(ended(2))).to.equal(true);
    expect(await second.close()).to.equal(true);
    expect(names()).to.deep.equal([fileName(1n), fileName(2n)]);
  });

  it('keeps so many files, counting the one that is written', async () => {
    for (let start = 1; start <= 5; start += 1) {
      const audit = await opened({ maxRetainedFiles: 2 });
      await audit.append(ended(start));
      await audit.close();
      expect(names()).to.have.length(Math.min(start, 2));
    }
    expect(names()).to.deep.equal([fileName(4n), fileName(5n)]);
  });

  it('is as it was where nothing was recorded, by one that closed and by one that died', async () => {
    for (let nth = 1; nth <= 3; nth += 1) {
      const audit = await opened();
      await audit.append(nth === 3 ? intentLine(call(nth)) : ended(nth));
      await audit.close();
    }
    const before = names();
    for (let start = 0; start < 5; start += 1) {
      const audit = await opened();
      expect(audit.unended).to.deep.equal([call(3)]);
      await audit.close();
      expect(names()).to.deep.equal(before);
      // Begun by a process that died: it is gone with the next one.
      writeFileSync(join(directory, fileName(9n)), '', { mode: 0o600 });
    }
    const audit = await opened();
    expect(await audit.recordUnended()).to.equal(true);
    expect(names()).to.deep.equal([fileName(2n), fileName(3n), fileName(10n), 'lock']);
    await audit.close();
  });

  it('makes no file give way to one that could not be written', async () => {
    for (const start of [1, 2]) {
      const audit = await opened({ maxRetainedFiles: 2 });
      await audit.append(ended(start));
      await audit.close();
    }
    const real = nodeFileSystem();
    const audit = await opened({
      maxRetainedFiles: 2,
      fileSystem: {
        ...real,
        openDirectory: async (path) => {
          const found = await real.openDirectory(path);
          if (!found.ok) return found;
          const { value } = found;
          return {
            ok: true,
            value: {
              ...value,
              createFile: async (name, mode) => {
                const made = await value.createFile(name, mode);
                return made.ok && name !== 'lock' && name.endsWith('.jsonl')
                  ? { ok: true, value: { ...made.value, write: async () => ({ ok: false, errno: 'ENOSPC' }) } }
                  : made;
              },
            },
          };
        },
      },
    });
    expect(await audit.append(ended(3))).to.equal(false);
    await audit.close();
    expect(names()).to.include.members([fileName(1n), fileName(2n)]);
  });

  it('parts no record, and begins the next file where one would not fit', async () => {
    const size = ended(1).length;
    for (const [bytes, perFile] of [
      [3 * size - 1, 2],
      [3 * size, 3],
      [3 * size + 1, 3],
    ] as const) {
      const audit = await opened({ maxFileBytes: bytes, maxRetainedFiles: 128 });
      const before = names().length;
      expect(await Promise.all(Array.from({ length: 6 }, (_, nth) => audit.append(ended(nth % 10))))).to.not.include(
        false,
      );
      await audit.close();
      expect(names().length - before).to.equal(Math.ceil(6 / perFile) - 2);
      for (const name of readdirSync(directory)) unlinkSync(join(directory, name));
    }
  });

  it('writes many together with one sync, in the order in which they came', async () => {
    let syncs = 0;
    const real = nodeFileSystem();
    const counted: typeof real = {
      ...real,
      openDirectory: async (path) => {
        const found = await real.openDirectory(path);
        if (!found.ok) return found;
        const { value } = found;
        return {
          ok: true,
          value: {
            ...value,
            createFile: async (name, mode) => {
              const made = await value.createFile(name, mode);
              return made.ok
                ? {
                    ok: true,
                    value: {
                      ...made.value,
                      sync: async () => {
                        syncs += 1;
                        return made.value.sync();
                      },
                    },
                  }
                : made;
            },
          },
        };
      },
    };
    const audit = await opened({ fileSystem: counted });
    const before = syncs;
    const all = Array.from({ length: 200 }, (_, nth) => nth);
    expect(new Set(await Promise.all(all.map((nth) => audit.append(ended(nth)))))).to.deep.equal(new Set([true]));
    expect(syncs - before).to.be.within(4, 8);
    expect(lines(1n).map(({ run_ref }) => run_ref)).to.deep.equal(all.map((nth) => `cmd-${nth}`));
    await audit.close();
  });

  it('is of one gateway at a time, and taken over from a dead one, by one of many', async () => {
    const audit = await opened();
    expect(await open()).to.equal(null);
    const many = await Promise.all(Array.from({ length: 8 }, () => open({ owners: afterDeath() })));
    expect(many.filter((one) => one !== null)).to.have.length(1);
    // The one that was taken for dead removes nobody else's lock.
    await audit.close();
    expect(names()).to.include('lock');
    for (const one of many) await one?.close();
    expect(names()).to.deep.equal([]);
  });

  it('takes over what a process left that died while it took over', async () => {
    const self = await processOwnerProbe().self();
    for (const name of ['lock', 'lock.taking'])
      writeFileSync(join(directory, name), encodeOwner({ ...self, started: 'before' }, null), { mode: 0o600 });
    writeFileSync(join(directory, `lock.${'0'.repeat(32)}`), '', { mode: 0o600 });
    const audit = await opened();
    expect(decodeOwner(readFileSync(join(directory, 'lock')))?.owner.pid).to.equal(process.pid);
    await audit.close();
  });

  const FOREIGN: Readonly<Record<string, (path: string) => void>> = {
    'a directory that others may read': (path) => chmodSync(path, 0o750),
    'another file': (path) => writeFileSync(join(path, 'notes.txt'), ''),
    'a folder': (path) => mkdirSync(join(path, fileName(1n))),
    'a link': (path) => symlinkSync('/etc/hosts', join(path, fileName(1n))),
    'a file with a second name': (path) => {
      writeFileSync(join(path, fileName(1n)), '', { mode: 0o600 });
      linkSync(join(path, fileName(1n)), join(path, '..', 'other'));
    },
    'a file that others may read': (path) => writeFileSync(join(path, fileName(1n)), '', { mode: 0o644 }),
    'a file that is too large': (path) => {
      writeFileSync(join(path, fileName(1n)), '', { mode: 0o600 });
      truncateSync(join(path, fileName(1n)), 1024 * 1024 + 1);
    },
    'a lock that nobody wrote': (path) => writeFileSync(join(path, 'lock'), 'mine', { mode: 0o600 }),
  };
  for (const [what, make] of Object.entries(FOREIGN)) {
    it(`is refused by ${what}, which stays as it is`, async () => {
      make(directory);
      const before = names();
      expect(await open()).to.equal(null);
      expect(names()).to.deep.equal(before);
    });
  }

  it('is refused where the directory is a link or is not there', async () => {
    symlinkSync(directory, join(parent, 'link'));
    expect([
      await open({ directory: join(parent, 'link') }),
      await open({ directory: join(parent, 'absent') }),
    ]).to.deep.equal([null, null]);
  });

  it('writes of calls whose end nobody knows that it is so, torn lines or not', async () => {
    const torn = ended(3).subarray(0, 100);
    writeFileSync(
      join(directory, fileName(7n)),
      Buffer.concat([
        intentLine(call(1)),
        intentLine(call(2)),
        ended(1),
        Buffer.from('{"record":"intent"}\nno json\n'),
        intentLine(call(3)),
        torn,
      ]),
      { mode: 0o600 },
    );
    const audit = await opened();
    expect(audit.unended).to.deep.equal([call(2), call(3)]);
    expect(await audit.recordUnended()).to.equal(true);
    expect(lines(8n)).to.deep.equal(
      [2, 3].map((nth) => ({
        ...call(nth),
        record: 'outcome',
        ended_at: '2030-01-02T03:04:06.000Z',
        outcome_code: 'unknown',
        dispatch_state: 'unknown',
        write_effects_may_have_occurred: true,
        disconnected: false,
        cleanup_status: 'uncertain',
      })),
    );
    await audit.close();
    expect(unendedCalls(readFileSync(join(directory, fileName(8n))))).to.deep.equal([]);
  });

  it('has no record of more than 1,024 bytes', () => {
    const bare = intentLine({ ...call(1), tool_name: '' }).length;
    expect(intentLine({ ...call(1), tool_name: 'x'.repeat(RECORD_BYTES - bare) })).to.have.length(RECORD_BYTES);
    expect(() => intentLine({ ...call(1), tool_name: 'x'.repeat(RECORD_BYTES - bare + 1) })).to.throw(RangeError);
  });

  it('has a call on record, or says that it has not, whatever call of the file system fails', async () => {
    let isBeyond = false;
    for (let at = 1; !isBeyond; at += 1) {
      for (const name of readdirSync(directory)) unlinkSync(join(directory, name));
      const { durable, calls } = await attempted({ at, manner: { kind: 'error', errno: 'ENOSPC' } });
      isBeyond = calls < at;
      const stored = names()
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFileSync(join(directory, name), 'utf8'))
        .join('');
      for (const nth of durable) expect(stored, `call ${at}`).to.include(`"run_ref":"cmd-${nth}"`);
    }
  });

  it('has a call on record that was told so, whenever the process dies', async () => {
    let isBeyond = false;
    for (let at = 1; !isBeyond; at += 1) {
      for (const when of ['before', 'after'] as const) {
        for (const name of readdirSync(directory)) unlinkSync(join(directory, name));
        const { durable, calls } = await attempted({ at, manner: { kind: 'crash', when } });
        isBeyond = calls < at;
        const next = await opened({ owners: afterDeath(), maxRetainedFiles: 128 });
        const stored = names()
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => readFileSync(join(directory, name), 'utf8'))
          .join('');
        for (const nth of durable) expect(stored, `call ${at} ${when}`).to.include(`"run_ref":"cmd-${nth}"`);
        await next.close();
      }
    }
  });

  /** Opens, writes six lines over two files, closes; which of them were told durable. */
  async function attempted(
    injection: Injection,
  ): Promise<{ readonly durable: readonly number[]; readonly calls: number }> {
    const faulty = faultyFileSystem(nodeFileSystem(), injection);
    const durable: number[] = [];
    let fences = 0;
    try {
      const audit = await open({
        fileSystem: faulty.fileSystem,
        maxFileBytes: 4 * ended(1).length,
        maxRetainedFiles: 128,
        onFence: () => {
          fences += 1;
        },
      });
      if (audit !== null) {
        for (let nth = 0; nth < 6; nth += 1) {
          if (await audit.append(intentLine(call(nth)))) durable.push(nth);
          else expect(audit.isFenced()).to.equal(true);
        }
        await audit.close();
      }
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    expect(fences).to.be.at.most(1);
    await faulty.closeAll();
    return { durable, calls: faulty.calls() };
  }

  it('waits five seconds for a disk, and believes nothing that comes later', async () => {
    const real = nodeFileSystem();
    let isSlow = false;
    const hanging = Promise.withResolvers<void>();
    const slow: typeof real = {
      ...real,
      openDirectory: async (path) => {
        const found = await real.openDirectory(path);
        if (!found.ok) return found;
        const { value } = found;
        return {
          ok: true,
          value: {
            ...value,
            createFile: async (name, mode) => {
              const made = await value.createFile(name, mode);
              return made.ok
                ? {
                    ok: true,
                    value: {
                      ...made.value,
                      sync: async () => {
                        if (isSlow) await hanging.promise;
                        return made.value.sync();
                      },
                    },
                  }
                : made;
            },
          },
        };
      },
    };
    const audit = await opened({ fileSystem: slow });
    isSlow = true;
    const [first, second] = [audit.append(ended(1)), audit.append(ended(2))];
    expect(await Promise.all([first, second])).to.deep.equal([false, false]);
    expect([audit.isFenced(), await audit.append(ended(3))]).to.deep.equal([true, false]);
    hanging.resolve();
    expect(await audit.close()).to.equal(false);
  });
});
