/** Libraries that read evidence, ask decision models and measure prompts (agent-library.md §2, §12). */
import { expect } from 'chai';
import type { Sandbox } from '../../pool/interface.ts';
import { ok, play, refusal, startBuiltSandbox, type Script } from './library-program.ts';

interface Row {
  readonly source: string;
  readonly script?: Script;
  readonly ended: string;
  readonly calls?: readonly string[];
}

const REFUSED = refusal('invalid_query', 'unknown_collection');
const REFUSED_PRINTED = '{:status :error, :kind :invalid_query, :reason :unknown_collection, :retryable? false}';

/** A query that gives its page, and ends the program where it is refused. */
function query(source: string, call: string): readonly Row[] {
  return [
    { source, script: [ok({ items: [] })], ended: 'continued {"items" []}', calls: [call] },
    { source, script: [REFUSED], ended: `failed ${REFUSED_PRINTED}`, calls: [call] },
  ];
}

const PROVED = '{"state" "complete" "target_collection" "turns" "filters" {"evaluation_id" "e1"}}';
const notFollowed = (relationship: string, reason: string, options = '{}'): Row => ({
  source: `(debug.nav/follow "r" ${relationship} ${options})`,
  ended: `failed {:kind :invalid-request, :reason :${reason}}`,
  calls: [],
});

const LIBRARIES: Readonly<Record<string, readonly Row[]>> = {
  analysis: [
    ...query('(analysis/runs {:limit 5})', 'analysis-runs {"limit":5}'),
    ...query('(analysis/open "r")', 'analysis-open {"run_id":"r"}'),
    ...query(
      '(analysis/read "r" {"collection" "turns" "limit" 1})',
      'analysis-read {"collection":"turns","limit":1,"run_id":"r"}',
    ),
    ...query('(analysis/counters {"status" "error"})', 'analysis-counters {"status":"error"}'),
  ],
  'debug.nav': [
    ...query('(debug.nav/runs {:limit 5})', 'debug.nav.runs {"limit":5}'),
    ...query('(debug.nav/open "r")', 'debug.nav.open {"run_id":"r"}'),
    ...query('(debug.nav/read "r" {"collection" "turns"})', 'debug.nav.read {"collection":"turns","run_id":"r"}'),
    ...query('(debug.nav/counters {})', 'debug.nav.counters {}'),
    // Row 61 of agent-library.md §14.
    {
      source: `(debug.nav/follow "r" ${PROVED} {:limit 2 "cursor" "c"})`,
      script: [ok({ items: [1] })],
      ended:
        'continued {"relationship" {"state" "complete", "target_collection" "turns", "filters" {"evaluation_id" "e1"}}, "page" {"items" [1]}}',
      calls: ['debug.nav.read {"collection":"turns","cursor":"c","evaluation_id":"e1","limit":2,"run_id":"r"}'],
    },
    {
      source: `(debug.nav/follow "r" ${PROVED.replace('complete', 'incomplete')} {})`,
      script: [REFUSED],
      ended: `failed ${REFUSED_PRINTED}`,
      calls: ['debug.nav.read {"collection":"turns","evaluation_id":"e1","run_id":"r"}'],
    },
    {
      source: `(count (debug.nav/follow "r" ${PROVED.replace('complete', 'ambiguous')} {}))`,
      script: [ok({ items: [] })],
      ended: 'continued 2',
    },
    notFollowed(PROVED, 'invalid-options', '{"view" "full"}'),
    notFollowed(PROVED, 'invalid-options', '{"collection" "errors"}'),
    notFollowed(PROVED.replace('complete', 'unavailable'), 'relationship-unavailable'),
    notFollowed('{"state" "incomplete" "target_collection" "turns" "filters" nil}', 'invalid-filters'),
    notFollowed('{"state" "complete" "target_collection" nil "filters" {}}', 'invalid-target-collection'),
  ],
  decision: [
    {
      source: '(decision/request {:state "s" :questions {}})',
      script: [ok({ model: 'm', answers: {} })],
      ended: 'continued {"model" "m", "answers" {}}',
      calls: ['decision-request {"questions":{},"state":"s"}'],
    },
    {
      source: '(:reason (decision/request {}))',
      script: [refusal('provider_error', 'rate_limited')],
      ended: 'continued :rate_limited',
    },
  ],
};

const TOOL = {
  kind: 'capability',
  form: '(tool/find {})',
  effect: 'read',
  docs: 'Finds "## API".',
  contract: { input_schema: { type: 'object' }, output_schema: { type: 'string' } },
};
/** A prompt of the default policy, for a mission with these entries. */
const prompt = (settings = '{"mission" "m"}'): string =>
  `(agent.prompt/render (agent.prompt/initial-state ${settings}))`;
const context = (entries: readonly object[]) => ok(JSON.stringify({ namespaces: [], entries }));
const CONTRACTS =
  '{"mission" "m" "result_contract" {"type" "object" "properties" {"n" {"type" "integer" "minimum" 1}}} "phase_return_contract" {"type" "object"}}';

describe('libraries of evidence, decisions and prompts (agent-library.md §2, §12)', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  for (const [id, rows] of Object.entries(LIBRARIES)) {
    for (const { source, script = [], ended, calls } of rows) {
      it(`${source}, ${JSON.stringify(script).slice(0, 40)} → ${ended}`, async () => {
        const played = await play(sandbox, [id], source, script);
        expect(played.ended, JSON.stringify(played.reply)).to.equal(ended);
        if (calls !== undefined) expect(played.calls).to.deep.equal(calls);
      });
    }
  }

  const audit = async (source: string, script: Script): Promise<unknown> => {
    const { ended } = await play(
      sandbox,
      ['agent.prompt', 'prompt.audit'],
      `(json/generate-string (let [text ${prompt(CONTRACTS)} bare ${prompt()}] ${source}))`,
      script,
    );
    const [, printed = 'null'] = /^continued ([^]*)$/.exec(ended) ?? [];
    return JSON.parse(JSON.parse(printed));
  };
  const TWO = [context([TOOL]), context([])];
  const AUTHORED = ['marker', 'protocol', 'language', 'examples', 'api-heading'];

  it('a prompt comes apart into its parts, and they are the prompt', async () => {
    const parts = await audit(
      '(mapv (fn [t] [(mapv (fn [s] (get s "label")) (prompt.audit/segments t)) (= t (apply str (map (fn [s] (get s "text")) (prompt.audit/segments t))))]) [text bare])',
      TWO,
    );
    expect(parts).to.deep.equal([
      [[...AUTHORED, 'api-notes', 'api-legend', 'api-entries', 'result-contract', 'phase-return-contract'], true],
      [[...AUTHORED, 'api-empty'], true],
    ]);
  });

  it('what the policy did not make is one part', async () => {
    const parts = await audit(
      '(mapv (fn [t] (prompt.audit/segments t)) ["" "Work." (str text "\\n## API\\nmore") (subs text 1) (clojure.string/replace text "## Language\\n" "")])',
      TWO,
    );
    expect(parts).to.have.lengthOf(5);
    for (const part of Object(parts))
      expect(part).to.have.lengthOf(1).and.have.nested.property('[0].label', 'unrecognised');
  });

  it('its parts are measured, and their sums are those of the whole', async () => {
    const measured = Object(
      await audit('[(prompt.audit/measure text) (count text) (prompt.audit/measure "abcde\\nf")]', TWO),
    );
    const [{ rows, 'recognised?': isRecognised }, length, other] = measured;
    const row = (label: string) => rows.find((found: { label: string }) => found.label === label);
    expect(isRecognised).to.equal(true);
    expect(row('total').characters).to.equal(length);
    expect(row('authored').characters + row('dynamic').characters).to.equal(length);
    expect(row('dynamic').characters).to.equal(
      row('api-entries').characters + row('result-contract').characters + row('phase-return-contract').characters,
    );
    expect(row('marker')).to.deep.equal({ label: 'marker', characters: 21, lines: 2, tokens_estimated: 6 });
    expect(other).to.deep.equal({
      rows: [
        ['unrecognised', 7, 2, 2],
        ['authored', 0, 0, 0],
        ['dynamic', 7, 2, 2],
        ['total', 7, 2, 2],
      ].map(([label, characters, lines, tokens_estimated]) => ({ label, characters, lines, tokens_estimated })),
      'recognised?': false,
    });
  });

  it('a change of a prompt is told by part', async () => {
    const changes = Object(await audit('(prompt.audit/delta bare text)', TWO));
    const change = (label: string) => changes.find((found: { label: string }) => found.label === label);
    expect(change('protocol')).to.include({ change: 0, percent: 0 });
    expect(change('api-empty')).to.include({ after: 0, percent: -100 });
    expect(change('api-entries')).to.include({ before: 0, percent: null });
    expect(change('total').change).to.equal(change('total').after - change('total').before);
  });
});
