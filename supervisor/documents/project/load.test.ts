import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { brief } from '../testing/application-tree.ts';
import { memoryFileSystem, type MemoryEntry } from '../testing/memory-file-system.ts';
import { loadTarget } from './load.ts';

const PROJECT = { kind: 'svc-project', version: 1, application: { path: 'app/svc.json' } };

async function target(entry: MemoryEntry) {
  return loadTarget(createDocumentReader(memoryFileSystem({ '/p/x': entry }), '/p'), 'x');
}

async function verdict(document: unknown): Promise<string> {
  const outcome = await target(typeof document === 'string' ? document : JSON.stringify(document));
  return outcome.ok ? outcome.value.kind : brief(outcome.diagnostic);
}

describe('svc-project.json (documents.md §6)', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['knows a project by its kind', PROJECT, 'project'],
    ['takes a document without kind for the application', { version: 1 }, 'application'],
    ['takes what is no JSON for the application', '{', 'application'],
    ['takes an array for the application', '[{"kind":"svc-project"}]', 'application'],
    ['takes another kind for a broken project', { ...PROJECT, kind: 'secret' }, 'project_schema_invalid "/kind"'],
    ['takes a kind that is no text for a broken project', { ...PROJECT, kind: 1 }, 'project_schema_invalid "/kind"'],
    [
      'lets the first kind of a document with duplicates decide',
      '{"kind":"svc-project","a":1,"a":2}',
      'project_schema_invalid ""',
    ],
    ['takes duplicates without kind for the application', '{"a":{"kind":"x"},"b":1,"b":2}', 'application'],
    ['takes a project that is no JSON for the application', '{"kind":"svc-project",}', 'application'],
    [
      'takes a large project for a broken one',
      `{"kind":"svc-project","x":"${'x'.repeat(262_144)}"}`,
      'project_schema_invalid',
    ],
    ['takes a large manifest for the application', `{"version":1,"x":"${'x'.repeat(262_144)}"}`, 'application'],
    [
      'tells inspection without trace before the schema',
      { ...PROJECT, version: 2, artifacts: { root: '.svc', inspection: true } },
      'project_schema_invalid "/artifacts/trace"',
    ],
    ['requires an application', { kind: 'svc-project', version: 1 }, 'project_schema_invalid "/application"'],
    [
      'refuses an absolute path',
      { ...PROJECT, application: { path: '/svc.json' } },
      'project_schema_invalid "/application/path"',
    ],
    [
      'refuses a trailing slash',
      { ...PROJECT, application: { path: 'a/' } },
      'project_schema_invalid "/application/path"',
    ],
    [
      'refuses a dot segment',
      { ...PROJECT, application: { path: 'a/./b' } },
      'project_schema_invalid "/application/path"',
    ],
    ['refuses a way up', { ...PROJECT, application: { path: '../b' } }, 'project_schema_invalid "/application/path"'],
    ['admits hidden and upper-case names', { ...PROJECT, artifacts: { root: '.svc/A..b' } }, 'project'],
    [
      'refuses a backslash',
      { ...PROJECT, application: { path: 'a\\b' } },
      'project_schema_invalid "/application/path"',
    ],
    ['refuses a port out of range', { ...PROJECT, viewer: { port: 65536 } }, 'project_schema_invalid "/viewer/port"'],
    ['refuses an address to bind', { ...PROJECT, viewer: { listen: '0.0.0.0' } }, 'project_schema_invalid "/viewer"'],
  ];
  for (const [title, document, expected] of cases) {
    it(title, async () => {
      expect(await verdict(document)).to.equal(expected);
    });
  }

  it('takes what cannot be read for the application', async () => {
    expect(await target({ special: true })).to.deep.include({ ok: true });
  });

  it('starts its paths at the directory of the file, not of a link to it', async () => {
    const files = memoryFileSystem({
      '/p/x': { link: '/q/project.json' },
      '/q/project.json': JSON.stringify({ ...PROJECT, host: { path: 'h.json' } }),
    });
    const outcome = await loadTarget(createDocumentReader(files, '/p'), 'x');
    expect(outcome.ok && outcome.value).to.deep.include({
      kind: 'project',
      manifest: { kind: 'below', directory: '/q', reference: 'app/svc.json' },
      host: { kind: 'below', directory: '/q', reference: 'h.json' },
    });
    expect(files.opened).to.deep.equal(['/q/project.json']);
  });
});
