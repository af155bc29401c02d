import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { appendRecord, sealContainer } from './container.ts';
import { RECORD_HEAD_BYTES } from './proven-prefix.ts';
import { proveInspection } from './read-inspection.ts';
import { executionError, recordExecutionPrints, preludeSource, runResult } from './records.ts';
import {
  INSPECTION_BOUNDS,
  openInspection,
  type InspectionBounds,
  type InspectionRecord,
  type InspectionSink,
  type InspectionWriter,
} from './writer.ts';

const CLOCK = { monotonic: () => 0, wall: () => 1_893_553_445_000 };

/** A file in memory that fails from its nth write on. */
function memoryFile(failsAt = Infinity): InspectionSink & { bytes(): Buffer } {
  const chunks: Uint8Array[] = [];
  let writes = 0;
  return {
    write: async (bytes) => {
      writes += 1;
      if (writes >= failsAt) return false;
      chunks.push(bytes);
      return true;
    },
    read: async (position, length) => Buffer.concat(chunks).subarray(position, position + length),
    overwrite: async (position, bytes) => {
      writes += 1;
      if (writes >= failsAt) return false;
      const whole = Buffer.concat(chunks);
      whole.set(bytes, position);
      chunks.splice(0, chunks.length, whole);
      return true;
    },
    sync: async () => writes < failsAt,
    bytes: () => Buffer.concat(chunks),
  };
}

async function open(file: InspectionSink, bounds: InspectionBounds = INSPECTION_BOUNDS): Promise<InspectionWriter> {
  const writer = await openInspection({ file, runId: 'r', traceId: 't', clock: CLOCK, bounds });
  if (writer === null) throw new Error('the header fits');
  return writer;
}

const sha = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

describe('inspection file (evidence.md §6)', () => {
  it('keeps the order of records of which one is written in several turns', async () => {
    const file = memoryFile();
    const writer = await open(file);
    const texts = ['a', 'b'.repeat(100_000), 'c', 'd'.repeat(100_000), 'e'];
    const recorded = texts.map((text) =>
      writer.record({
        type: 'execution-prints',
        correlation: new Map(),
        payload: SerializedJson.object([['text', text]]),
      }),
    );
    const sealed = writer.seal();
    expect(await Promise.all(recorded)).to.deep.equal(texts.map(() => 'recorded'));
    expect(await sealed).to.equal('sealed');
    const lines = file
      .bytes()
      .toString()
      .split('\n')
      .slice(1, -2)
      .map((line): unknown => JSON.parse(line).record);
    for (const [index, text] of texts.entries())
      expect(lines[index]).to.deep.include({ sequence: index + 1, payload: { text } });
  });

  describe('with records of approvals (approvals.md §10)', () => {
    const ASKED: InspectionRecord = {
      type: 'approval-request',
      correlation: new Map([['approval_id', 'apr-1']]),
      payload: SerializedJson.object([['tool', 'close']]),
    };
    /** Says the words of its own version, as nothing but a payload may. */
    const other = (text: string): InspectionRecord => ({
      type: 'execution-prints',
      correlation: new Map([['evaluation_id', 'e']]),
      payload: SerializedJson.object([['text', text]]),
    });
    const HOSTILE = '"schema_version":10,"sequence":';

    async function versionsOf(file: { bytes(): Buffer }) {
      const reading = await proveInspection(file.bytes(), ['"run_id":"r"']);
      if (!reading.ok) throw new Error(reading.fault);
      const [header = ''] = file.bytes().toString().split('\n');
      return [JSON.parse(header).schema_version, ...reading.records.map((record) => record.get('schema_version'))];
    }

    it('is a file of version 11 in all its lines, which its chain and seal prove', async () => {
      const file = memoryFile();
      const writer = await open(file);
      for (const text of ['a', HOSTILE, 'é'.repeat(1_200_000), 'b'])
        expect(await writer.record(other(text))).to.equal('recorded');
      expect(await versionsOf({ bytes: () => sealedCopy(file) })).to.deep.equal([10, 10, 10, 10, 10]);
      for (const record of [ASKED, other('c'), ASKED]) expect(await writer.record(record)).to.equal('recorded');
      expect(await writer.seal()).to.equal('sealed');
      expect(await versionsOf(file)).to.deep.equal(Array(8).fill(11));
      expect(file.bytes().toString()).to.include(JSON.stringify(HOSTILE));
    });

    /** What the file would be if its run ended here. */
    function sealedCopy(file: { bytes(): Buffer }): Buffer {
      const lines = file.bytes().toString().split('\n').slice(0, -1);
      const [header = '', ...records] = lines;
      let state = { chain: sha('svc.inspection.v1\0', header) as Uint8Array, records: 0, evidenceBytes: 0 };
      for (const line of records) ({ state } = appendRecord(state, line.slice(RECORD_HEAD_BYTES, -1)));
      return Buffer.concat([file.bytes(), sealContainer(state, sha(file.bytes()).toString('hex'))]);
    }

    it('is one of version 11 where the first record is one', async () => {
      const file = memoryFile();
      const writer = await open(file);
      await writer.record(ASKED);
      await writer.seal();
      expect(await versionsOf(file)).to.deep.equal([11, 11]);
    });

    it('keeps the order of records that come at once', async () => {
      const file = memoryFile();
      const writer = await open(file);
      const records = [other('a'), other('b'.repeat(100_000)), ASKED, other('c'), ASKED, other('d'.repeat(100_000))];
      const outcomes = await Promise.all(records.map((record) => writer.record(record)));
      expect(outcomes).to.deep.equal(records.map(() => 'recorded'));
      expect(await writer.seal()).to.equal('sealed');
      expect(await versionsOf(file)).to.deep.equal(Array(7).fill(11));
    });

    it('is lost where it cannot be written again', async () => {
      for (const failsAt of [4, 5, 6]) {
        const writer = await open(memoryFile(failsAt));
        await writer.record(other('a'));
        await writer.record(other('b'));
        expect(await writer.record(ASKED), String(failsAt)).to.equal('unavailable');
        expect(await writer.record(other('c'))).to.equal('unavailable');
        expect(await writer.seal()).to.equal('unavailable');
      }
    });
  });

  it('chains every record and seals the whole', async () => {
    const file = memoryFile();
    const writer = await open(file);
    await writer.record(preludeSource({ id: 'main', source: '(ns main)' }, null));
    await writer.record(runResult(`sha256:${'0'.repeat(64)}`, SerializedJson.of(1)));
    expect(await writer.seal()).to.equal('sealed');

    const lines = file.bytes().toString().split('\n');
    const [header = '', first = '', second = '', seal = ''] = lines;
    expect(lines).to.have.length(5);
    expect(JSON.parse(header)).to.deep.equal({
      format: 'svcins',
      format_version: 1,
      schema_version: 10,
      run_id: 'r',
      trace_id: 't',
      created: '2030-01-02T03:04:05.000000Z',
    });
    let chain = sha('svc.inspection.v1\0', header);
    for (const [index, line] of [first, second].entries()) {
      const text = line.slice('{"chain":"","record":'.length + 64, -1);
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(Buffer.byteLength(text)));
      chain = sha(chain, length, text);
      const parsed: unknown = JSON.parse(line);
      expect(parsed).to.have.property('chain', chain.toString('hex'));
      expect(parsed).to.have.nested.property('record.sequence', index + 1);
      expect(parsed)
        .to.have.property('record')
        .that.has.all.keys(
          'schema_version',
          'run_id',
          'trace_id',
          'sequence',
          'timestamp',
          'record_type',
          'correlation',
          'payload',
        );
    }
    expect(Buffer.byteLength(`${seal}\n`)).to.equal(512);
    const before = Buffer.from(`${[header, first, second].join('\n')}\n`);
    expect(JSON.parse(seal)).to.deep.equal({
      seal: {
        records: 2,
        first_sequence: 1,
        last_sequence: 2,
        evidence_bytes: Buffer.byteLength(`${first}\n${second}\n`),
        chain: chain.toString('hex'),
        digest: `sha256:${sha(before).toString('hex')}`,
      },
    });
  });

  it('seals a run without records', async () => {
    const file = memoryFile();
    expect(await (await open(file)).seal()).to.equal('sealed');
    expect(file.bytes().toString()).to.include('"first_sequence":0,"last_sequence":0,"records":0');
  });

  const record = preludeSource({ id: 'main', source: 'x' }, null);
  const bounds: readonly (readonly [string, Partial<InspectionBounds>])[] = [
    ['records', { records: 1 }],
    ['bytes of a record', { recordBytes: 100 }],
    ['bytes together', { evidenceBytes: 600 }],
  ];
  for (const [what, bound] of bounds) {
    it(`is not sealed beyond its bound of ${what}`, async () => {
      const writer = await open(memoryFile(), { ...INSPECTION_BOUNDS, ...bound });
      const outcomes = [await writer.record(record), await writer.record(record), await writer.record(record)];
      expect(outcomes.at(-1)).to.equal('limit');
      expect(await writer.seal()).to.equal('limit');
    });
  }

  it('takes no record that waited behind a long one beyond a bound', async () => {
    const file = memoryFile();
    const writer = await open(file, { ...INSPECTION_BOUNDS, recordBytes: 100_000 });
    const long = { ...record, payload: SerializedJson.object([['text', 'a'.repeat(200_000)]]) };
    const outcomes = await Promise.all([writer.record(long), writer.record(record), writer.record(record)]);
    expect(outcomes).to.deep.equal(['limit', 'limit', 'limit']);
    expect(file.bytes().toString().split('\n')).to.have.length(2);
  });

  it('is not sealed once a write failed, at whichever', async () => {
    expect(
      await openInspection({ file: memoryFile(1), runId: 'r', traceId: 't', clock: CLOCK, bounds: INSPECTION_BOUNDS }),
    ).to.equal(null);
    for (const failsAt of [2, 3, 4]) {
      const writer = await open(memoryFile(failsAt));
      await writer.record(record);
      await writer.record(record);
      expect(await writer.seal(), `write ${failsAt}`).to.equal('unavailable');
    }
  });

  it('keeps 128 prints and 65536 bytes of them', () => {
    const payload = (prints: readonly string[]): unknown =>
      Object.fromEntries(recordExecutionPrints('e', prints).payload.value);
    expect(payload(['a'])).to.deep.equal({ environment: 'workflow', prints: ['a'], truncated: false });
    expect(payload(Array.from({ length: 129 }, () => 'a'))).to.have.property('truncated', true);
    expect(payload(['a'.repeat(65_536), 'b']))
      .to.have.property('prints')
      .that.has.length(1);
  });

  it('leaves out of an error what JSON cannot say', () => {
    const { payload } = executionError('e', {
      kind: 'runtime',
      reason: 'type_error',
      details: { line: 1, odd: () => 1 },
    });
    expect(payload.value.get('details')).to.deep.equal(new Map([['line', 1]]));
  });
});
