import { expect } from 'chai';
import { errorOf, resultOf } from '../testing/result-of.ts';
import { hashOfText, readDiscovery, refusal } from './discovery.ts';

const SOUND = {
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
};
const [MALFORMED, UNSUPPORTED, UNAVAILABLE] = [
  refusal('provider_protocol_error'),
  refusal('provider_protocol_version_unsupported'),
  refusal('provider_unavailable'),
];

describe('discovery of a server (providers.md §7.3)', () => {
  const accepted: Readonly<Record<string, object>> = {
    'the least': {},
    'public, for a while': { ttlMs: 60_000, cacheScope: 'public' },
    '32 versions': { supportedVersions: [...Array.from({ length: 31 }, (_, at) => `v${at}`), '2026-07-28'] },
    'a version of 64 bytes': { supportedVersions: ['x'.repeat(64), '2026-07-28'] },
    'other capabilities and members': {
      capabilities: { tools: { listChanged: true }, prompts: {} },
      instructions: 'hi',
      _meta: {},
    },
  };
  for (const [what, changes] of Object.entries(accepted)) {
    it(`takes ${what}`, () => {
      expect(readDiscovery(resultOf({ ...SOUND, ...changes }), null)).to.deep.equal({ ok: true, serverInfoHash: null });
    });
  }

  it('tells the digest of what the server calls itself, wherever it does', () => {
    const info = { name: 'n'.repeat(256), version: 'v' };
    const reported = { ok: true, serverInfoHash: hashOfText(JSON.stringify(info)) };
    expect(readDiscovery(resultOf({ ...SOUND, serverInfo: info }), null)).to.deep.equal(reported);
    expect(
      readDiscovery(resultOf({ ...SOUND, _meta: { 'io.modelcontextprotocol/serverInfo': info } }), null),
    ).to.deep.equal(reported);
  });

  const refused: Readonly<Record<string, readonly [object, object]>> = {
    'another result type': [{ resultType: 'partial' }, MALFORMED],
    'no result type': [{ resultType: undefined }, MALFORMED],
    'no life time': [{ ttlMs: undefined }, MALFORMED],
    'a negative life time': [{ ttlMs: -1 }, MALFORMED],
    'a life time that is no integer': [{ ttlMs: 0.5 }, MALFORMED],
    'no scope': [{ cacheScope: undefined }, MALFORMED],
    'another scope': [{ cacheScope: 'shared' }, MALFORMED],
    'metadata that is no object': [{ _meta: 1 }, MALFORMED],
    'no versions': [{ supportedVersions: undefined }, MALFORMED],
    'an empty list of versions': [{ supportedVersions: [] }, MALFORMED],
    '33 versions': [{ supportedVersions: Array.from({ length: 33 }, () => '2026-07-28') }, MALFORMED],
    'an empty version': [{ supportedVersions: ['', '2026-07-28'] }, MALFORMED],
    'a version of 65 bytes': [{ supportedVersions: ['x'.repeat(65), '2026-07-28'] }, MALFORMED],
    'a version that is a number': [{ supportedVersions: [1, '2026-07-28'] }, MALFORMED],
    'only other versions': [{ supportedVersions: ['2025-11-25'] }, UNSUPPORTED],
    'no capabilities': [{ capabilities: undefined }, MALFORMED],
    'no tools': [{ capabilities: {} }, MALFORMED],
    'tools that are no object': [{ capabilities: { tools: true } }, MALFORMED],
    'a name that is too long': [{ serverInfo: { name: 'n'.repeat(257), version: 'v' } }, MALFORMED],
    'a version of its own that is too long': [{ serverInfo: { name: 'n', version: 'v'.repeat(129) } }, MALFORMED],
  };
  for (const [what, [changes, expected]] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(readDiscovery(resultOf({ ...SOUND, ...changes }), null)).to.deep.equal({
        ...expected,
        isOlder: expected === UNSUPPORTED,
      });
    });
  }

  it('leaves open what a server speaks whose result has nothing of the revision', () => {
    // Some of earlier revisions answer every method that they do not know with an empty result.
    expect(readDiscovery(resultOf({}), null)).to.deep.equal({ ...MALFORMED, isOlder: true });
    expect(readDiscovery(resultOf({}), 200)).to.deep.equal({ ...MALFORMED, isOlder: true });
  });

  it('refuses what is no answer', () => {
    expect(readDiscovery(null, null)).to.deep.equal({ ...MALFORMED, isOlder: false });
    expect(readDiscovery(null, 200)).to.deep.equal({ ...MALFORMED, isOlder: false });
    // What comes before a session is refused in many ways.
    expect(readDiscovery(null, 400)).to.deep.equal({ ...MALFORMED, isOlder: true });
    expect(readDiscovery(null, 406)).to.deep.equal({ ...UNAVAILABLE, isOlder: true });
    expect(readDiscovery(resultOf(SOUND), 405)).to.deep.equal({ ...UNAVAILABLE, isOlder: true });
  });
  const errors: readonly (readonly [number, number | null, object])[] = [
    [-32601, null, UNSUPPORTED],
    [-32602, null, UNSUPPORTED],
    [-32022, null, UNSUPPORTED],
    [-32603, null, UNAVAILABLE],
    [1, null, UNAVAILABLE],
    [-32601, 404, UNSUPPORTED],
    [-32602, 404, MALFORMED],
    [-32022, 400, UNSUPPORTED],
    [-32601, 400, MALFORMED],
    [-32602, 200, UNSUPPORTED],
    [-32601, 405, UNAVAILABLE],
  ];
  for (const [code, status, expected] of errors) {
    it(`refuses the error ${code}${status === null ? '' : ` with status ${status}`}`, () => {
      expect(readDiscovery(errorOf(code), status)).to.deep.equal({ ...expected, isOlder: true });
    });
  }
});
