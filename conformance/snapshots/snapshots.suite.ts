import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeWorkDirectory } from '../cli/work-directory.ts';
import {
  evidenceDirectory,
  lastTrace,
  leaveEvidence,
  makeRoom,
  PRIVATE_PAIR,
  read,
  SNAPSHOT_SECRET,
  traceSnapshot,
} from './room.ts';

const PAST = { past: traceSnapshot() };
const PAIR = [{ name: 'past', config: { expose: false } }, { name: 'evidence' }];
/** The id of the newest run. */
const NEWEST = '(get (first (get (:value (tool/past.runs {})) "items")) "run_id")';
const PRIVATE_NEWEST = NEWEST.replace('past', 'evidence');

/** A program that gives the names and values of a page's members. */
const whole = (call: string): string => `(return (:value ${call}))`;

describe('snapshots of what earlier runs did (providers.md §10)', () => {
  let directory: string;
  before(async () => {
    directory = makeRoom();
    expect(await leaveEvidence(directory)).to.deep.include({ status: 0 });
  });
  after(() => {
    removeWorkDirectory(directory);
  });

  it('a workflow reads through its mission what an earlier run did', async () => {
    const program = `(let [id ${NEWEST}
      opened (:value (tool/past.open {"run_id" id}))
      page (:value (tool/past.read {"run_id" id "collection" "activity" "limit" 100}))
      counted (:value (tool/past.counters {}))]
      (return {:status (get-in opened ["run" "status"]) :missions (keys (get-in opened ["run" "missions"]))
               :types (mapv (fn [event] (get event "type")) (get page "items")) :runs (get counted "runs")
               :evaluations (get counted "evaluations_by_mission") :collections
               (mapv (fn [entry] [(get entry "name") (get entry "available?")]) (get opened "collections"))}))`;
    const { status, stderr, value } = await read(directory, { install: PAST, program });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const { types, collections, ...rest } = Object(value);
    expect(rest).to.deep.equal({ status: 'ok', missions: ['room'], runs: 1, evaluations: { room: 1 } });
    expect([types[0], types.at(-1)]).to.deep.equal(['run-started', 'run-stopped']);
    expect(collections).to.deep.equal([
      ['activity', true],
      ...[
        'turns',
        'model_exchanges',
        'capability_calls',
        'provider_exchanges',
        'generated_sources',
        'prelude_sources',
        'execution_prints',
        'execution_errors',
        'explicit_failure_values',
      ].map((name) => [name, false]),
    ]);
  });

  it('pages go on from their cursors to the same answer as one page', async () => {
    const program = `(let [id ${NEWEST}
      options {"run_id" id "collection" "activity"}
      once (get (:value (tool/past.read (assoc options "limit" 100))) "items")
      pages (loop [cursor nil items []]
              (let [page (:value (tool/past.read (assoc options "limit" 2 "cursor" cursor)))
                    all (into items (get page "items"))]
                (if (get page "next_cursor") (recur (get page "next_cursor") all) all)))]
      (return [(= once pages) (count once)]))`;
    const { value } = await read(directory, { install: PAST, program });
    const [isSame, count] = Object(value);
    expect(isSame).to.equal(true);
    expect(count).to.be.greaterThan(4);
  });

  const refusals: readonly (readonly [string, string, object])[] = [
    ['a run that is not there', '(tool/past.open {"run_id" "cmd-nobody"})', { reason: 'not_found' }],
    [
      'a collection that is not there',
      `(tool/past.read {"run_id" ${NEWEST} "collection" "secrets"})`,
      { reason: 'not_found' },
    ],
    [
      'private evidence, of traces alone',
      `(tool/past.read {"run_id" ${NEWEST} "collection" "turns"})`,
      { reason: 'invalid_request', details: 'evidence_unavailable' },
    ],
    [
      'an option that it does not know',
      '(tool/past.runs {"surprise" 1})',
      { reason: 'invalid_request', details: 'invalid_query' },
    ],
    ['a limit of none', '(tool/past.runs {"limit" 0})', { reason: 'invalid_request', details: 'invalid_query' }],
    [
      'a limit beyond the most',
      '(tool/past.runs {"limit" 101})',
      { reason: 'invalid_request', details: 'invalid_query' },
    ],
    [
      'a cursor that is none',
      '(tool/past.runs {"cursor" "x"})',
      { reason: 'invalid_request', details: 'invalid_query' },
    ],
  ];
  for (const [what, call, reported] of refusals) {
    it(`refuses ${what}`, async () => {
      const { value } = await read(directory, { install: PAST, program: `(return ${call})` });
      expect(value).to.deep.include({ status: 'error', kind: 'provider_error', 'retryable?': false, ...reported });
    });
  }

  it('refuses an answer larger than the selection gives, and takes one that fits', async () => {
    const [runId = ''] = readdirSync(evidenceDirectory(directory, 'traces')).map((name) => name.replace('.jsonl', ''));
    const select = [{ name: 'past', config: { max_result_bytes: 450 } }];
    const { value } = await read(directory, {
      install: PAST,
      select,
      program: `(return [(:details (tool/past.open {"run_id" "${runId}"})) (:status (tool/past.counters {}))])`,
    });
    expect(value).to.deep.equal(['result_limit_exceeded', 'ok']);
  });

  it('tells in its own trace what was captured, with one identity for changing content', async () => {
    const readWords = async () => {
      const { value } = await read(directory, {
        install: PAST,
        program: '(return (get (:value (tool/past.runs {})) "content_snapshot_hash"))',
      });
      const {
        connector_snapshots: [snapshot],
      } = Object(lastTrace(directory)['data']);
      const { acquisition, acquisition_identity_hash: identity, content_snapshot_hash: content } = snapshot;
      expect(content).to.equal(value);
      expect(acquisition).to.include({ source: 'svc_trace_snapshot' });
      return { identity, content, acquisition };
    };
    const first = await readWords();
    const again = await readWords();
    expect(again.content).to.equal(first.content);
    expect(again.acquisition.capture_id).not.to.equal(first.acquisition.capture_id);
    expect(await leaveEvidence(directory)).to.deep.include({ status: 0 });
    const other = await readWords();
    expect(other.identity).to.equal(first.identity);
    expect(other.content).not.to.equal(first.content);
    expect(other.acquisition).to.include({
      run_count: first.acquisition.run_count + 1,
      file_count: first.acquisition.file_count + 1,
    });
  });

  it('a failed run is followed from its error to the program that made it, and to what that calls', async () => {
    expect(
      await leaveEvidence(
        directory,
        `(do (def wanted (prices/twice 4)) (fail {:kind :broken :of "${SNAPSHOT_SECRET}"}))`,
      ),
    ).to.deep.include({ status: 5 });
    const program = `(let [id ${PRIVATE_NEWEST}
      items (fn [collection filters] 
                (get (:value (tool/evidence.read (merge {"run_id" id "collection" collection} filters))) "items"))
      error (first (items "execution_errors" {}))
      boundary (first (filter (fn [link] (= "boundary_failure" (get link "rel"))) (get error "relationships")))
      source (first (items "generated_sources" {}))
      links (filter (fn [link] (= "referenced_prelude_source" (get link "rel"))) (get source "relationships"))]
      (return {:boundary (count (items (get boundary "target_collection") (get boundary "filters"))) :state
        (get boundary "state")
               :source (get source "source") :prints (get (first (items "execution_prints" {})) "prints")
               :reached (mapv (fn [link]
                 (get (first (items (get link "target_collection") (get link "filters"))) "component_id")) links)
               :value (get-in (first (items "explicit_failure_values" {})) ["value" "outcome"])}))`;
    const { status, value, stdout, stderr } = await read(directory, {
      install: PRIVATE_PAIR,
      select: PAIR,
      program,
      isPrivate: true,
    });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(value).to.deep.include({
      boundary: 1,
      state: 'complete',
      prints: ['working'],
      reached: ['prices'],
      value: 'failed',
    });
    expect(Object(value).source).to.include(SNAPSHOT_SECRET);
    expect(stdout + stderr).not.to.include(SNAPSHOT_SECRET);
  });

  it('a dependency that is not exposed grants nothing by itself', async () => {
    const { value } = await read(directory, {
      install: PRIVATE_PAIR,
      select: PAIR,
      program: '(return (tool/past.runs {}))',
      isPrivate: true,
    });
    expect(value).to.deep.include({ outcome: 'evaluation_error' });
  });

  describe('over a directory that others write to', () => {
    let own: string;
    let traces: string;
    beforeEach(async () => {
      own = makeRoom();
      expect(await leaveEvidence(own)).to.deep.include({ status: 0 });
      traces = evidenceDirectory(own, 'traces');
    });
    afterEach(() => {
      removeWorkDirectory(own);
    });

    it('sets aside what is no trace of one run, and what is a link, and leaves the rest', async () => {
      const [name = ''] = readdirSync(traces);
      writeFileSync(join(traces, 'broken.jsonl'), '{"no":"trace"}\n', { mode: 0o600 });
      symlinkSync('/etc/passwd', join(traces, 'link.jsonl'));
      symlinkSync(name, join(traces, 'other.jsonl'));
      writeFileSync(join(traces, 'notes.txt'), 'foreign');
      const { value } = await read(own, { install: PAST, program: whole('(tool/past.runs {})') });
      const { items, isolation } = Object(value);
      expect(items).to.have.length(1);
      expect(isolation).to.deep.include({
        component_count: 3,
        source_count: 3,
        known_run_count: 3,
        reasons: { malformed_source: 1, unstable_entry: 2 },
      });
      const aside = await read(own, { install: PAST, program: '(return (tool/past.open {"run_id" "broken"}))' });
      expect(aside.value).to.deep.include({ kind: 'provider_error', reason: 'unavailable' });
    });

    it('never opens a private trace as a normal one, and counts it', async () => {
      const [name = ''] = readdirSync(traces);
      renameSync(join(traces, name), join(traces, name.replace('.jsonl', '.private.jsonl')));
      const normal = await read(own, { install: PAST, program: whole('(tool/past.runs {})') });
      expect(normal.value).to.deep.include({ items: [], excluded_private_trace_files: 1 });
      const install = { past: traceSnapshot({ source: 'svc_private_trace_snapshot' }) };
      const both = await read(own, {
        install,
        program: '(return (count (get (:value (tool/past.runs {})) "items")))',
        isPrivate: true,
      });
      expect(both.value).to.equal(1);
    });

    const unusable: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['is not there', { directory: 'nowhere' }],
      ['is a file', { directory: '../target/svc.json' }],
      ['holds more bytes than it may', { ceilings: { max_source_bytes: 1 } }],
    ];
    for (const [what, more] of unusable) {
      it(`a directory that ${what} is refused before anything runs`, async () => {
        const { status, stderr } = await read(own, { install: { past: traceSnapshot(more) }, program: '(return 1)' });
        expect(stderr).to.include('local_preflight/environment_unavailable');
        expect(status).to.equal(4);
      });
    }
  });
});
