import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { loadHost } from '../host/load.ts';
import { memoryFileSystem } from '../testing/memory-file-system.ts';
import { configDigest, installationIdentity } from './installation.ts';

const TOOLS = { source: 'mcp', installation_revision: 'r1', transport: { type: 'stdio', command: 'svc-fs-mcp' } };
const ROW = { as: 'fs.write', effect: 'write' };
const API = {
  source: 'openapi',
  installation_revision: 'r1',
  document: { path: 'api.json' },
  endpoint: 'https://api.example',
  tools: { closeTicket: { as: 'tickets.close' } },
};

/** Digests that these installations had when there were no approvals yet. */
const BEFORE: readonly (readonly [string, object, string])[] = [
  [
    'a server of tools',
    { ...TOOLS, tools: { write_text_file: ROW } },
    'sha256:70737a940e8a4dcf1a037592e25ae99e409e8e2cedae16638d96c008f6235b33',
  ],
  [
    'a server whose tools are all mapped',
    { ...TOOLS, tools: { '*': { effect: 'write' } } },
    'sha256:c4786b4f7c817dd01bd45ca6e396f7012129b7dea8610830b936113400884da1',
  ],
  ['an API', API, 'sha256:79af50571d6d36d02f00bdc081d28f257e2484b46effaef14fecae77337edaa8'],
];

async function digestOf(installation: object, host: object = {}): Promise<string> {
  const text = JSON.stringify({ ...host, install: { one: installation } });
  const reader = createDocumentReader(memoryFileSystem({ '/host.json': text }), '/');
  const loaded = await loadHost(reader, { kind: 'named', path: '/host.json' });
  const one = loaded.ok ? loaded.value.document.install.get('one') : undefined;
  if (one === undefined) throw new Error(loaded.ok ? 'nothing is installed' : loaded.diagnostic.message);
  return configDigest(installationIdentity(one));
}

describe('digests of installations and approvals (approvals.md §1, line 3)', () => {
  for (const [name, installation, digest] of BEFORE)
    it(`are what they were without the field: ${name}`, async () => {
      expect(await digestOf(installation)).to.equal(digest);
      // The bounds of questions are in no identity.
      const bounds = { timeout_ms: 5000, hold_ms: 0, lifetime_ms: 60_000, max_asks: 1, max_open: 1, unattended: true };
      expect(await digestOf(installation, { approvals: bounds })).to.equal(digest);
    });

  for (const [name, installation] of BEFORE)
    it(`are others for each word: ${name}`, async () => {
      const words = ['never', 'writes', 'always'];
      const digests = await Promise.all(words.map((approval) => digestOf({ ...installation, approval })));
      expect(new Set([await digestOf(installation), ...digests]).size).to.equal(4);
    });

  it('are others where a row says so', async () => {
    const digests = await Promise.all(
      [{}, { approval: 'always' }].map((more) =>
        digestOf({ ...TOOLS, tools: { write_text_file: { ...ROW, ...more } } }),
      ),
    );
    expect(new Set(digests).size).to.equal(2);
  });
});
