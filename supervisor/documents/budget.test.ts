import { expect } from 'chai';
import { createDocumentReader } from './document-reader.ts';
import { loadHost } from './host/load.ts';
import { loadTarget } from './project/load.ts';
import { load, MANIFEST } from './testing/application-tree.ts';
import { memoryFileSystem } from './testing/memory-file-system.ts';

/** A clock that a second passes on at every look. */
function hastyClock() {
  let now = 0;
  return () => {
    now += 1000;
    return now;
  };
}

/** More values than are checked between two looks at the clock. */
const many = Array.from({ length: 128 }, (_, index) => ({
  id: `c${index}`,
  path: 'main.clj',
  dependencies: Array.from({ length: 8 }, (_unused, other) => `d${other}`),
}));

describe('the time for one document (documents.md §1, budget)', () => {
  it('is told as retryable, with the document as source', async () => {
    const manifest = { ...MANIFEST, workflow: { entry: 'main/run', components: many } };
    const application = await load({ manifest, options: { now: hastyClock() } });
    expect(!application.ok && application.diagnostic).to.deep.include({
      code: 'schema_validation_unavailable',
      phase: 'application',
      retryable: true,
    });

    const install = Object.fromEntries(
      Array.from({ length: 128 }, (_, index) => [
        `a${index}`,
        { source: 'llm_replay', installation_revision: 'r', fixtures: 'f' },
      ]),
    );
    const reader = createDocumentReader(memoryFileSystem({ '/host.json': JSON.stringify({ install }) }), '/');
    const host = await loadHost(reader, { kind: 'named', path: '/host.json' }, hastyClock());
    expect(!host.ok && host.diagnostic).to.deep.include({
      code: 'schema_validation_unavailable',
      phase: 'host',
      retryable: true,
    });
  });

  it('is enough for a small one, whatever the clock does', async () => {
    const reader = createDocumentReader(
      memoryFileSystem({ '/p.json': '{"kind":"svc-project","version":1,"application":{"path":"a"}}' }),
      '/',
    );
    expect(await loadTarget(reader, '/p.json', hastyClock())).to.deep.include({ ok: true });
  });
});
