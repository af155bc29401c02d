import { expect } from 'chai';
import * as fc from 'fast-check';
import { isLogicalName } from '../../contract/diagnostics/diagnostic.ts';
import { createDocumentReader } from './document-reader.ts';
import { loadGateway } from './gateway/load.ts';
import { loadTarget } from './project/load.ts';
import { load, MANIFEST, type Tree } from './testing/application-tree.ts';
import { memoryFileSystem } from './testing/memory-file-system.ts';

/** Anything a file may hold: bytes, text, JSON of any shape. */
const content = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }), fc.json({ maxDepth: 6 }));

async function neverThrows(tree: Tree): Promise<void> {
  const outcome = await load(tree);
  if (outcome.ok) return;
  const { source } = outcome.diagnostic;
  if (source !== null && 'name' in source)
    expect(isLogicalName(source.name) || source.name === 'svc-runtime').to.equal(true);
}

describe('hostile files end in a diagnostic, never in an exception', () => {
  const options = { override: '/tmp/d.json', input: { path: '/tmp/in.json', dataClass: 'normal' } } as const;
  const places: Readonly<Record<string, (bytes: Uint8Array | string) => Tree>> = {
    'a manifest': (bytes) => ({ files: { '/app/svc.json': bytes } }),
    'a host': (bytes) => ({ host: '{}', files: { '/etc/host.json': bytes } }),
    'a component': (bytes) => ({ files: { '/app/main.clj': bytes } }),
    'a contract': (bytes) => ({
      manifest: { ...MANIFEST, contracts: { input_schema: { path: 'c.json' } } },
      files: { '/app/c.json': bytes },
    }),
    'an input': (bytes) => ({ options: { input: options.input }, files: { '/tmp/in.json': bytes } }),
    'an override': (bytes) => ({ options: { override: options.override }, files: { '/tmp/d.json': bytes } }),
  };
  for (const [title, tree] of Object.entries(places)) {
    it(title, () =>
      fc.assert(
        fc.asyncProperty(content, (bytes) => neverThrows(tree(bytes))),
        { numRuns: 150 },
      ),
    );
  }

  it('a gateway document and a project', () =>
    fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const reader = createDocumentReader(memoryFileSystem({ '/x': bytes }), '/');
        loadGateway(await reader.readNamed('/x', 1_000_000));
        await loadTarget(reader, '/x');
      }),
    ));
});
