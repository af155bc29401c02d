import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { CompileFault, CompileReply, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadHost } from '../../documents/host/load.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { fakeSandbox } from '../../run/testing/fake-sandbox.ts';
import { NO_BUNDLE_STORE } from './bundle-store.ts';
import { loadExplainedApplication } from './explained.ts';

const GOOD = {
  version: 1,
  input: { value: {} },
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
};

async function load(manifest: object, sandbox: () => Promise<Sandbox>, host: string | null = null) {
  const files = memoryFileSystem({ '/app/svc.json': JSON.stringify(manifest), '/app/main.clj': '(ns main)' });
  const reader = createDocumentReader(files, '/app');
  const loadedHost = host === null ? null : await loadHost(reader, { kind: 'named', path: host });
  return loadExplainedApplication({
    reader,
    workingDirectory: '/app',
    manifest: { kind: 'named', path: 'svc.json' },
    host: null,
    refusedHost: loadedHost?.ok === false ? loadedHost : null,
    libraries: new Map(),
    input: null,
    override: null,
    identityFixed: false,
    inspectionCapture: false,
    trustDomain: 'test',
    explainsPrograms: true,
    readsHost: true,
    compiler: async () => ({ sandbox: await sandbox(), store: NO_BUNDLE_STORE }),
    now: () => 0,
  });
}

/** What people are told of a manifest with a limit that is too high, whose one readable program is compiled there. */
async function explainLimit(sandbox: () => Promise<Sandbox>) {
  const missions = { m: { components: [{ id: 'helper', path: 'gone.clj' }] } };
  const loaded = await load({ ...GOOD, limits: { run_duration_ms: 9_000_000 }, missions }, sandbox);
  expect(loaded).to.deep.include({
    ok: false,
    diagnostic: diagnostic('installed_limit_exceeded', {
      path: '/limits/run_duration_ms',
      message: 'limit run_duration_ms: 9000000 requested, 1800000 installed at most',
    }),
  });
  return loaded.ok ? null : loaded.advice?.faults;
}

function refusal(...faults: readonly [CompileFault, ...CompileFault[]]): GuestOutcome<CompileReply> {
  return { status: 'replied', reply: { status: 'refused', fault: faults[0], faults } };
}

const FAULT = { component: 'main', reason: 'parse_error', message: 'a list is not closed', details: {} } as const;

describe('faults of programs beside those of documents', () => {
  it('are told last, of those programs that can be read', async () => {
    const compiledSets: string[][] = [];
    const explanation = await explainLimit(async () =>
      fakeSandbox({
        compile: ({ components }) => {
          compiledSets.push(components.map(({ id }) => id));
          return refusal(
            { ...FAULT, span: { start_byte: 4, end_byte: 8 } },
            { ...FAULT, message: 'nowhere', span: null },
          );
        },
      }),
    );
    expect(compiledSets).to.deep.equal([['main']]);
    expect(explanation?.faults.map((fault) => fault.place?.file)).to.deep.equal(['svc.json', 'svc.json', 'main.clj']);
    expect(explanation?.faults[2]).to.deep.include({ problem: 'a list is not closed' });
    expect(explanation?.faults[2]?.place).to.deep.include({ file: 'main.clj', line: 1, column: 5 });
    expect(explanation?.omitted).to.equal(0);
  });

  it('are none where nothing can be compiled', async () => {
    const explanation = await explainLimit(async () => {
      throw new Error('no sandbox starts here');
    });
    expect(explanation?.faults).to.have.length(2);
  });

  it('are told of an application that is right, beside a host document that cannot be read', async () => {
    const sandbox = fakeSandbox({ compile: () => refusal({ ...FAULT, span: { start_byte: 4, end_byte: 8 } }) });
    const loaded = await load(GOOD, async () => sandbox, 'gone.json');
    expect(loaded).to.deep.include({ ok: false, diagnostic: diagnostic('host_unavailable') });
    expect(loaded.ok ? null : loaded.advice?.target).to.equal('named_host');
    expect(loaded.ok ? [] : loaded.advice?.faults?.faults.map(({ place }) => place?.file)).to.deep.equal([
      undefined,
      'main.clj',
    ]);
  });
});
