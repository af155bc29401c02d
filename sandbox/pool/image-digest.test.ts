import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RAW_GUEST } from '../testing/sandbox-under-test.ts';
import { buildSnapshot, everywhere } from '../../scripts/build-snapshot.ts';
import { readImageDigest } from './image-digest.ts';

function framed(header: string): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(Buffer.byteLength(header));
  return Buffer.concat([prefix, Buffer.from(header), Buffer.from('snapshot')]);
}

describe('digest of a guest image', () => {
  let folder: string;
  const digestOf = (bytes: Uint8Array): string | null => {
    const file = join(folder, 'image');
    writeFileSync(file, bytes);
    return readImageDigest(file);
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is another for another guest', async () => {
    const one = digestOf(await buildSnapshot(everywhere({ script: RAW_GUEST })));
    const other = digestOf(await buildSnapshot(everywhere({ script: `${RAW_GUEST}\n;` })));
    expect(one).to.match(/^[0-9a-f]{64}$/);
    expect(other)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.to.equal(one);
  });

  for (const [what, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['less than a length', Buffer.from('abc')],
    ['an empty header', framed('')],
    ['a header that is no JSON', framed('image')],
    ['a header without a digest', framed('{}')],
    ['a digest of another form', framed(JSON.stringify({ digest: 'A'.repeat(64) }))],
    ['a header longer than the file', Buffer.from([0, 0, 0, 9, 0x7b, 0x7d])],
    ['a header beyond its bound', framed(JSON.stringify({ digest: 'a'.repeat(64), more: 'x'.repeat(1024) }))],
  ] as const) {
    it(`is none for a file that holds ${what}`, () => {
      expect(digestOf(bytes)).to.equal(null);
    });
  }
});
