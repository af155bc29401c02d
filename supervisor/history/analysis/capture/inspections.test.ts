import { expect } from 'chai';
import { INSPECTION_BOUNDS, openInspection } from '../../../evidence/inspection/writer.ts';
import { preludeSource } from '../../../evidence/inspection/records.ts';
import { captureTime } from '../files/capture-time.ts';
import type { EvidenceFiles, FileFacts, OpenEvidence } from '../files/evidence-files.ts';
import { paced } from '../files/pace.ts';
import { captureInspections } from './inspections.ts';
import { readInspectionFile } from './inspection-file.ts';
import { objectOf } from '../members.ts';
import { indexBytes } from './record-entry.ts';
import type { TraceCapture } from './traces.ts';

const TRACES: TraceCapture = {
  runs: new Map(),
  isolated: [],
  excludedPrivate: 0,
  snapshotHash: `sha256:${'0'.repeat(64)}`,
  files: 0,
  bytes: 0,
};
const factsOf = (kind: FileFacts['kind'], size: number): FileFacts => ({
  kind,
  size: BigInt(size),
  device: 1n,
  inode: 1n,
  modified: 1n,
  changed: 1n,
});
const fileOf = (bytes: Buffer, closed: () => void = () => undefined): OpenEvidence => ({
  facts: async () => factsOf('file', bytes.length),
  read: async (position, length) => bytes.subarray(position, position + length),
  close: async () => closed(),
});

/** A directory of these files; `open` counts those that are open. */
function directory(contents: ReadonlyMap<string, Buffer>, open = { count: 0 }): EvidenceFiles {
  return {
    facts: async (path) => {
      const content = contents.get(path.slice('/i/'.length));
      return path === '/i' ? factsOf('directory', 0) : content === undefined ? null : factsOf('file', content.length);
    },
    names: async (_, most) => [...contents.keys()].slice(0, most + 1),
    open: async (path) => {
      open.count += 1;
      return fileOf(contents.get(path.slice('/i/'.length)) ?? Buffer.alloc(0), () => {
        open.count -= 1;
      });
    },
  };
}

const many = (count: number): ReadonlyMap<string, Buffer> =>
  new Map(Array.from({ length: count }, (_, at) => [`r${at}.svcins`, Buffer.from('none')]));

async function verdict(files: EvidenceFiles, sourceBytes = 536_871_120, time = captureTime()): Promise<unknown> {
  const captured = await captureInspections({
    files,
    directory: '/i',
    mostFiles: 1024,
    sourceBytes,
    traces: TRACES,
    time,
  });
  return captured.ok ? captured.value.isolated.length : captured.fault;
}

/** A whole file of so many records. */
async function written(records: number, source = '(ns part)'): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const file = {
    write: async (bytes: Uint8Array) => pieces.push(bytes) > 0,
    read: async () => null,
    overwrite: async () => false,
    sync: async () => true,
  };
  const writer = await openInspection({
    file,
    runId: 'r',
    traceId: 't',
    clock: { monotonic: () => 0, wall: () => 1_893_553_445_000 },
    bounds: INSPECTION_BOUNDS,
  });
  for (let at = 0; at < records; at += 1) await writer?.record(preludeSource({ id: `part-${at}`, source }, null));
  await writer?.seal();
  return Buffer.concat(pieces);
}

describe('capturing a directory of inspections (evidence.md §6, §8)', () => {
  it('takes as many files as it may, and no more', async () => {
    expect(await verdict(directory(many(1024)))).to.equal(1024);
    expect(await verdict(directory(many(1025)))).to.equal('source_limit_exceeded');
  });

  it('takes as many bytes as it may, of all files together', async () => {
    expect(await verdict(directory(many(3)), 12)).to.equal(3);
    expect(await verdict(directory(many(3)), 11)).to.equal('source_limit_exceeded');
  });

  it('keeps as many entries as it may, and as many bytes of them', async () => {
    const bytes = await written(3);
    const read = async (bounds: { readonly mostRecords?: number; readonly mostIndexBytes?: number }) =>
      readInspectionFile({
        file: fileOf(bytes),
        facts: factsOf('file', bytes.length),
        mostRecords: 3,
        mostIndexBytes: Infinity,
        pace: paced(),
        time: captureTime(),
        ...bounds,
      });
    const whole = await read({});
    if (!whole.ok) throw new Error(whole.fault);
    const most = whole.value.entries.reduce((sum, entry) => sum + indexBytes(entry), 0);
    expect(whole.value)
      .to.have.property('indexBytes', most)
      .that.is.above(3 * 96);
    expect(await read({ mostIndexBytes: most })).to.have.property('ok', true);
    expect(await read({ mostIndexBytes: most - 1 })).to.deep.equal({ ok: false, fault: 'source_limit_exceeded' });
    expect(await read({ mostRecords: 2 })).to.deep.equal({ ok: false, fault: 'source_limit_exceeded' });
  });

  it('proves records that are longer than what is read at once, and gives them again', async () => {
    const source = `(ns part) ; ${'long '.repeat(500_000)}`;
    const bytes = await written(2, source);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 1_000_000] = 0x21;
    const read = async (content: Buffer) =>
      readInspectionFile({
        file: fileOf(content),
        facts: factsOf('file', content.length),
        mostRecords: 2,
        mostIndexBytes: Infinity,
        pace: paced(),
        time: captureTime(),
      });
    expect(await read(changed)).to.deep.equal({ ok: false, fault: 'malformed_source' });
    const whole = await read(bytes);
    const last = whole.ok ? whole.value.entries[1] : undefined;
    if (!whole.ok || last === undefined) throw new Error('the file is whole');
    const again = await whole.value.record(last);
    expect(again.ok && objectOf(again.value, 'payload')?.get('source')).to.equal(source);
  });

  it('ends where all of it takes longer than 15 s, and leaves no file open', async () => {
    const bytes = await written(3);
    for (const [step, expected] of [
      [15_000, 1],
      [15_001, 'source_unavailable'],
    ] as const) {
      let now = 0;
      const open = { count: 0 };
      const files = directory(new Map([['r.svcins', bytes]]), open);
      const slow: EvidenceFiles = {
        ...files,
        open: async (path) => {
          now += step;
          return files.open(path);
        },
      };
      expect(
        await verdict(
          slow,
          1_000_000,
          captureTime(() => now),
        ),
      ).to.equal(expected);
      // Of a run that has no trace it is set aside, and closed with the capture.
      expect(open.count).to.equal(expected === 1 ? 1 : 0);
    }
  });
});
