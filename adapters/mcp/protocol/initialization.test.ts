import { expect } from 'chai';
import { hashOf } from './discovery.ts';
import { readInitialization, type Initialization } from './initialization.ts';
import { OLDER_REVISIONS } from './revision.ts';

const INFO = { name: 'older', version: '3' };
const SOUND = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: INFO };
const read = (message: object, status: number | null = null): Initialization =>
  readInitialization(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })), 1, status);
const readWith = (changes: object): Initialization => read({ result: { ...SOUND, ...changes } });
const refusedWith = (data: unknown): Initialization => read({ error: { code: -32_602, message: 'no', data } }, 400);

describe('the beginning of a session of an earlier revision (world.md §2.1)', () => {
  for (const revision of OLDER_REVISIONS)
    it(`speaks ${revision} with a server that does`, () => {
      expect(readWith({ protocolVersion: revision, instructions: 'hi' })).to.deep.equal({
        kind: 'begun',
        revision,
        serverInfoHash: hashOf(new Map(Object.entries(INFO))),
      });
    });

  it('is none with a server that speaks only what nobody here knows', () => {
    expect(readWith({ protocolVersion: '2024-10-07' })).to.deep.equal({ kind: 'unsupported' });
  });

  const malformed: Readonly<Record<string, object>> = {
    'no version': { protocolVersion: undefined },
    'a version that is too long': { protocolVersion: 'v'.repeat(65) },
    'no tools': { capabilities: {} },
    'no name': { serverInfo: undefined },
    'a name that is too long': { serverInfo: { name: 'n'.repeat(257), version: '1' } },
  };
  for (const [what, changes] of Object.entries(malformed))
    it(`is malformed with ${what}`, () => {
      expect(readWith(changes)).to.deep.equal({ kind: 'malformed' });
    });
  it('is malformed where it is no answer', () => {
    expect(read({ id: 2, result: SOUND })).to.deep.equal({ kind: 'malformed' });
  });

  it('goes on with what a refusal names, the newest first', () => {
    expect(refusedWith({ supported: ['2024-11-05', '2025-03-26', 'other'] })).to.deep.equal({
      kind: 'refused',
      offered: ['2025-03-26', '2024-11-05'],
    });
    for (const data of [undefined, null, {}, { supported: '2025-03-26' }])
      expect(refusedWith(data)).to.deep.equal({ kind: 'refused', offered: [] });
  });
  it('is refused by a status, whatever words are beside it', () => {
    expect(readInitialization(Buffer.from('Not Found'), 1, 404)).to.deep.equal({ kind: 'refused', offered: [] });
    expect(read({ result: SOUND }, 406)).to.deep.equal({ kind: 'refused', offered: [] });
  });
});
