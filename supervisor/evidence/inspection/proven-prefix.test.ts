import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { appendRecord, beginContainer, sealContainer } from './container.ts';
import { readProvenPrefix, type ProvenPrefix } from './proven-prefix.ts';

const header = beginContainer({ runId: 'r', traceId: 't', created: '2030-01-02T03:04:05.000006Z' });
const first = appendRecord(header.state, canonicalJson(new Map([['text', 'é\n'.repeat(20)]])));
const second = appendRecord(first.state, canonicalJson(new Map([['n', 2]])));
const LINES = [header.line, first.line, second.line];
const SEALED = Buffer.concat([...LINES, sealContainer(second.state, 'a'.repeat(64))]);
const LIMIT = 1000;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const proven = async (bytes: Uint8Array, size = 7, limit = LIMIT): Promise<ProvenPrefix> =>
  readProvenPrefix(inChunks(bytes, size), limit);

describe('what an unfinished inspection proves (evidence.md §6)', () => {
  const ends = LINES.map((_, index) => LINES.slice(0, index + 1).reduce((sum, line) => sum + line.length, 0));

  it('is every whole line, wherever a kill cut the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(SEALED.length), fc.integer({ min: 1, max: 900 }), async (length, size) => {
        const lines = ends.filter((end) => end <= length);
        const rest = length === SEALED.length ? 'seal' : (lines.at(-1) ?? 0) === length ? 'none' : 'torn';
        expect(await proven(SEALED.subarray(0, length), size)).to.deep.equal({
          bytes: lines.at(-1) ?? 0,
          records: Math.max(0, lines.length - 1),
          rest,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('ends before the first byte that was changed', async () => {
    const whole = Buffer.concat(LINES);
    const [headerEnd = 0, firstEnd = 0] = ends;
    for (let at = headerEnd; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const { bytes, rest } = await proven(changed, 4096);
      expect(bytes, `byte ${at}`).to.equal(at < firstEnd ? headerEnd : firstEnd);
      expect(rest, `byte ${at}`).to.be.oneOf(['broken', 'torn']);
    }
  });

  it('is nothing without a header', async () => {
    for (const text of [
      '{}\n',
      '{"seal":{}}\n',
      'x\n',
      '\n',
      `{"created":"${'x'.repeat(1100)}","format":"svcins","format_version":1,\n`,
    ]) {
      expect(await proven(Buffer.from(text), 4096, 5000)).to.deep.equal({ bytes: 0, records: 0, rest: 'broken' });
    }
    expect(await proven(new Uint8Array())).to.deep.equal({ bytes: 0, records: 0, rest: 'none' });
  });

  it('holds no line beyond the limit', async () => {
    const endless = Buffer.concat([header.line, Buffer.alloc(3000, 'x')]);
    expect(await proven(endless, 100, 1000)).to.deep.equal({ bytes: header.line.length, records: 0, rest: 'broken' });
  });
});
