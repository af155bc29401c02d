import { expect } from 'chai';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { openTraceSpool, type SpoolFile, type TraceSpool } from './trace-spool.ts';

interface TestFile extends SpoolFile {
  readonly content: () => string;
  readonly writes: () => number;
}

/** A file in memory; the write number `failsAt`, from 1, fails. */
function memoryFile(failsAt = Infinity): TestFile {
  let content = Buffer.alloc(0);
  let writes = 0;
  return {
    write: async (bytes) => {
      writes += 1;
      if (writes >= failsAt) return false;
      content = Buffer.concat([content, bytes]);
      return true;
    },
    read: async (position, length) => content.subarray(position, position + length),
    sync: async () => writes < failsAt,
    content: () => content.toString('utf8'),
    writes: () => writes,
  };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};

async function all(spool: TraceSpool, from: number, mostBytes: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const read = await spool.read(from + lines.length, mostBytes);
    if (read.length === 0) return lines;
    lines.push(...read);
  }
}

describe('the spool of a trace', () => {
  it('holds small lines back until there are enough of them, and all are permanent when it is settled', async () => {
    const file = memoryFile();
    const spool = openTraceSpool(file);
    spool.append('a\n');
    await settled();
    expect(file.writes()).to.equal(0);
    spool.append(`${'b'.repeat(65_533)}\n`);
    await settled();
    expect(file.content().length).to.equal(65_536);
    spool.append('c\n');
    const whole = `a\n${'b'.repeat(65_533)}\nc\n`;
    expect(await spool.settle()).to.deep.equal({
      bytes: whole.length,
      sha256: createHash('sha256').update(whole).digest('hex'),
    });
    expect(file.content()).to.equal(whole);
  });

  it('writes a burst in pieces, and lets others work in between', async () => {
    const file = memoryFile();
    const spool = openTraceSpool(file);
    for (let line = 0; line < 40; line += 1) spool.append(`${'x'.repeat(32_767)}\n`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(file.writes()).to.be.within(1, 3);
    await spool.settle();
    expect(file.writes()).to.equal(20);
  });

  it('gives the lines that are in the file and those that are not, whatever is asked at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat(40_000)), { maxLength: 30 }),
        fc.nat(32),
        fc.integer({ min: 1, max: 100_000 }),
        async (parts, from, mostBytes) => {
          const lines = parts.map(
            ([text, repeat]) => `${text.replaceAll('\n', '').toWellFormed()}${'é'.repeat(repeat)}`,
          );
          const spool = openTraceSpool(memoryFile());
          for (const line of lines) {
            spool.append(`${line}\n`);
            if (line.length % 3 === 0) await settled();
          }
          expect(await all(spool, from, mostBytes)).to.deep.equal(lines.slice(from));
          await spool.settle();
          expect(await all(spool, from, mostBytes)).to.deep.equal(lines.slice(from));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives no more lines than so many bytes hold, and one at least', async () => {
    for (const file of [null, memoryFile()]) {
      const spool = openTraceSpool(file);
      for (const line of ['12\n', '45\n', '78\n']) spool.append(line);
      if (file !== null) await spool.settle();
      for (const [most, count] of [
        [1, 1],
        [3, 1],
        [5, 1],
        [6, 2],
        [8, 2],
        [9, 3],
      ] as const)
        expect(await spool.read(0, most), `${most} bytes`).to.have.length(count);
    }
  });

  it('keeps what could not be written for its readers, and settles for nothing', async () => {
    const file = memoryFile(2);
    const spool = openTraceSpool(file);
    const lines = Array.from({ length: 6 }, (_, index) => `${index}${'x'.repeat(40_000)}`);
    for (const line of lines) spool.append(`${line}\n`);
    expect(await spool.settle()).to.equal(null);
    expect(await all(spool, 0, 100_000)).to.deep.equal(lines);
  });

  it('settles for nothing without a file, and for one whose sync fails', async () => {
    const spool = openTraceSpool(null);
    spool.append('a\n');
    expect([await spool.settle(), await spool.read(0, 10)]).to.deep.equal([null, ['a']]);
    expect(await openTraceSpool({ ...memoryFile(), sync: async () => false }).settle()).to.equal(null);
  });

  it('gives nothing that can no longer be read', async () => {
    const spool = openTraceSpool({ ...memoryFile(), read: async () => null });
    spool.append('a\n');
    await spool.settle();
    expect(await spool.read(0, 10)).to.deep.equal([]);
  });

  it('passes on what a file threw', async () => {
    const spool = openTraceSpool({ ...memoryFile(), write: () => Promise.reject(new Error('gone')) });
    spool.append('a\n');
    expect(await spool.settle().catch((error: unknown) => error)).to.deep.equal(new Error('gone'));
  });
});
