import { expect } from 'chai';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { Analysis } from '../../history/analysis/analysis.ts';
import { COLLECTIONS, plain, query, runIds } from './answers.ts';
import { askOver, makeEvidence, memoryEvidence, type Evidence } from './captured.ts';

type Plain = Readonly<Record<string, unknown>>;

const FILTERS: readonly Plain[] = [
  {},
  { evaluation_id: 'mission-evaluation-1' },
  { evaluation_id: 'nowhere' },
  { capability_id: 'capability-1' },
  { status: 'ok' },
  { mission_name: 'room' },
];

async function analysisOf(evidence: Evidence, bytes?: number): Promise<Analysis> {
  const { private: analysis } = await askOver(memoryEvidence(evidence), bytes);
  if (typeof analysis === 'string') throw new Error(analysis);
  return analysis;
}

describe('pages of an answer (evidence.md §7)', () => {
  let evidence: Evidence;
  let analysis: Analysis;
  let ids: readonly string[];
  before(async () => {
    evidence = await makeEvidence();
    analysis = await analysisOf(evidence);
    ids = await runIds(analysis);
  });

  const ask = async (of: Analysis, requested: Plain): Promise<Plain> =>
    Object(plain(await ('collection' in requested ? of.read(query(requested)) : of.runs(query(requested)))));

  /** All items, page by page, each with a limit of its own. */
  const collect = async (of: Analysis, requested: Plain, limits: readonly number[]): Promise<readonly unknown[]> => {
    const items: unknown[] = [];
    let cursor: unknown = null;
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const answer = await ask(of, { ...requested, limit: limits[page % limits.length] ?? 1, cursor });
      expect(answer['items'], JSON.stringify(answer)).to.be.an('array');
      const { items: own, next_cursor: next, truncated, omitted_count: omitted } = Object(answer);
      items.push(...own);
      expect({ truncated, isMore: next !== null }).to.deep.equal({ truncated: omitted > 0, isMore: omitted > 0 });
      cursor = next;
    }
    return items;
  };

  const questions = (): fc.Arbitrary<Plain> =>
    fc.oneof(
      fc.record({ run_id: fc.constantFrom(...ids), collection: fc.constantFrom(...COLLECTIONS) }),
      fc
        .record({
          run_id: fc.constantFrom(...ids),
          collection: fc.constantFrom('activity', 'turns', 'generated_sources'),
        })
        .chain((requested) => fc.constantFrom(...FILTERS).map((filters) => ({ ...filters, ...requested }))),
      fc.constantFrom<Plain>({}, { status: 'ok' }, { view: 'full' }),
    );

  it('together are the answer at once, at every size of page and of answer', async () => {
    const small = await analysisOf(evidence, 12_000);
    await fc.assert(
      fc.asyncProperty(
        questions(),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        async (requested, limits) => {
          const once = await ask(analysis, { ...requested, limit: 100 });
          // A filter that the collection does not have is no question.
          if (!('items' in once)) return;
          expect(await collect(analysis, requested, limits)).to.deep.equal(once['items']);
          expect(await collect(small, requested, limits)).to.deep.equal(once['items']);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are each no larger than an answer may be, and an item that is larger is refused', async () => {
    for (const bytes of [600, 2000, 5000]) {
      const bounded = await analysisOf(evidence, bytes);
      for (const run_id of ids) {
        for (const collection of COLLECTIONS) {
          const answer = await bounded.read(query({ run_id, collection, limit: 100 }));
          if (answer.ok) expect(Buffer.byteLength(canonicalJson(answer.value))).to.be.at.most(bytes);
          else expect(answer.fault).to.equal('result_limit_exceeded');
        }
      }
    }
  });

  it('fit an answer that is exactly as large, and not one that is a byte smaller', async () => {
    const [run_id = ''] = ids;
    const opened = await analysis.open(query({ run_id }));
    const bytes = opened.ok ? Buffer.byteLength(canonicalJson(opened.value)) : 0;
    const of = async (room: number) => plain(await (await analysisOf(evidence, room)).open(query({ run_id })));
    expect(await of(bytes)).to.deep.equal(plain(opened));
    expect(await of(bytes - 1)).to.equal('result_limit_exceeded');
  });

  it('go on only in the query and the capture that they are of', async () => {
    const [run_id = '', other = ''] = ids;
    const requested = { run_id, collection: 'activity', limit: 1 };
    const { next_cursor: cursor } = Object(await ask(analysis, requested));
    const again = async (of: Analysis, more: Plain) => plain(await of.read(query({ ...requested, cursor, ...more })));
    expect(await again(analysis, { limit: 5 })).to.have.property('items');
    expect(await again(analysis, { run_id: other })).to.equal('invalid_query');
    expect(await again(analysis, { collection: 'prelude_sources' })).to.equal('invalid_query');
    expect(await again(analysis, { status: 'ok' })).to.equal('invalid_query');
    const [first = ''] = evidence.traces.keys();
    const fewer = new Map([...evidence.traces].filter(([name]) => name === first || name.startsWith(run_id)));
    const changed = await analysisOf({ ...evidence, traces: fewer, inspection: new Map() });
    expect(await again(changed, {})).to.equal('source_changed');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(String(cursor).length - 1),
        fc.constantFrom('A', 'B', 'x', 'y', '0', '9', '-', '_'),
        async (at, letter) => {
          const damaged = `${String(cursor).slice(0, at)}${letter}${String(cursor).slice(at + 1)}`;
          if (damaged !== cursor) expect(await again(analysis, { cursor: damaged })).to.equal('invalid_query');
        },
      ),
    );
  });

  it('are the same for whoever asks again over the same files', async () => {
    const twice = await analysisOf(evidence);
    for (const run_id of ids)
      for (const collection of COLLECTIONS)
        expect(plain(await twice.read(query({ run_id, collection })))).to.deep.equal(
          plain(await analysis.read(query({ run_id, collection }))),
        );
  });
});
