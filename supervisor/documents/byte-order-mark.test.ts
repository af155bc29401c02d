import { expect } from 'chai';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createDocumentReader } from './document-reader.ts';
import { nodeDocumentFiles } from './file-system.ts';

describe('a byte order mark before a source or a document (first-day.md §3)', () => {
  let root = '';
  beforeEach(async () => {
    root = await realpath(await mkdtemp(`${tmpdir()}/svc-mark-`));
  });
  afterEach(async () => rm(root, { recursive: true, force: true }));

  async function read(bytes: Uint8Array, limit: number): Promise<string> {
    await writeFile(`${root}/f`, bytes);
    const file = await createDocumentReader(nodeDocumentFiles, root).readNamed('f', limit);
    if (!file.ok) return file.fault;
    return file.file.bytes.length > limit ? 'too large' : Buffer.from(file.file.bytes).toString('latin1');
  }

  it('is no part of the text', async () => {
    expect(await read(Buffer.from('\uFEFF(ns a)'), 100)).to.equal('(ns a)');
    expect(await read(Buffer.from('\uFEFF\uFEFFa'), 100)).to.equal(Buffer.from('\uFEFFa').toString('latin1'));
    for (const other of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0xbe, 0x61], [0x61, 0xef, 0xbb, 0xbf]]) {
      expect(await read(Uint8Array.from(other), 100)).to.equal(Buffer.from(other).toString('latin1'));
    }
  });

  it('counts for no limit', async () => {
    for (const mark of ['', '\uFEFF']) {
      for (const [length, expected] of [
        [9, 'x'.repeat(9)],
        [10, 'x'.repeat(10)],
        [11, 'too large'],
      ] as const) {
        expect(await read(Buffer.from(`${mark}${'x'.repeat(length)}`), 10)).to.equal(expected);
      }
    }
  });
});
