import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { explainedFault } from '../../../contract/diagnostics/explanation.ts';
import { failure } from '../../../contract/outcome.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { explainRefusal } from './survey.ts';
import type { CompilePrograms } from './survey-programs.ts';

const MANIFEST = JSON.stringify({
  version: 1,
  input: { value: {} },
  limits: { run_duration_ms: 9_000_000 },
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  missions: { m: { components: [{ id: 'helper', path: 'gone.clj' }] } },
});
const REFUSED = diagnostic('installed_limit_exceeded', {
  path: '/limits/run_duration_ms',
  message: 'limit run_duration_ms: 9000000 requested, 1800000 installed at most',
});

/** What people are told of a manifest with a limit that is too high, whose one readable program `compile` refuses. */
async function told(compile: CompilePrograms) {
  const files = memoryFileSystem({ '/app/svc.json': MANIFEST, '/app/main.clj': '(ns main)' });
  const manifest = { kind: 'named', path: 'svc.json' } as const;
  return explainRefusal(
    createDocumentReader(files, '/app'),
    { ok: false, diagnostic: REFUSED },
    {
      document: 'svc.json',
      manifest,
      host: null,
      override: null,
      input: null,
      workingDirectory: '/app',
      libraries: new Map(),
      custom: [],
      compile,
    },
  );
}

const place = { file: 'main.clj', line: 1, column: 5, within: null, excerpt: null };

describe('faults of programs beside those of documents', () => {
  it('are told last, of those programs that can be read', async () => {
    const compiledSets: string[][] = [];
    const explanation = await told(async ({ workflow, missions }) => {
      compiledSets.push([...workflow.map(({ id }) => id), ...missions.keys()]);
      return failure(diagnostic('syntax_invalid'), {
        faults: [explainedFault({ place, problem: 'a list is not closed' }), explainedFault({ problem: 'nowhere' })],
        omitted: 2,
      });
    });
    expect(compiledSets).to.deep.equal([['main']]);
    expect(explanation?.faults.map((fault) => fault.place?.file)).to.deep.equal(['svc.json', 'svc.json', 'main.clj']);
    expect(explanation?.faults[2]).to.deep.include({ place, problem: 'a list is not closed' });
    expect(explanation?.omitted).to.equal(2);
  });

  it('are none where nothing can be compiled', async () => {
    expect((await told(async () => null))?.faults).to.have.length(2);
  });
});
