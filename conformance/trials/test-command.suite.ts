/** `svc test` from outside (first-day.md §2): expectations, recording, updating, live runs, reports, statuses. */
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ModelRoom, MODEL_SECRET } from '../models/room.ts';
import type { Ended } from '../cli/program.ts';
import { runResident } from '../cli/resident/resident.ts';

/** As much of a report as is looked at. */
interface TrialReport {
  readonly totals: Readonly<Record<string, number | null>>;
  readonly models: readonly { readonly model: string; readonly pass_rate: { readonly runs: number } }[];
  readonly cases: readonly ReportedCase[];
}

interface ReportedCase {
  readonly name: string;
  readonly model: string | null;
  readonly problem: string | null;
  readonly scores: object | null;
  readonly pass_rate: { readonly low: number };
  readonly tokens: object | null;
  readonly runs: readonly {
    readonly run_ref: string;
    readonly misses: readonly { readonly expectation: string; readonly path: string }[];
  }[];
}

const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  host: { path: 'svc-host.json' },
  artifacts: { root: '.svc', trace: true },
};
const ECHO = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  missions: {},
  input: { value: { n: 1 } },
};
const ECHO_SOURCE =
  '(ns main) (defn run [input] (if (get input "bad") (fail {:why "bad"}) {:n (get input "n") :list [1 {:a 2 :b 3}]}))';
const ASK_SOURCE =
  '(ns main) (defn run [input] (let [a (tool/llm-request {:messages [{:role "user" :content (get input "text")}]})] (if (= :ok (:status a)) {:said (:content (:value a))} (fail a))))';

describe('svc test (first-day.md §2)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  async function lay(files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const target = join(room.directory, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
  }
  const test = async (...argv: readonly string[]): Promise<Ended> =>
    runResident({ argv: ['test', ...argv], directory: room.directory, environment: { KEY: MODEL_SECRET } });
  const reportOf = async (
    ...argv: readonly string[]
  ): Promise<{ readonly status: number | null; readonly report: TrialReport }> => {
    const { status, stdout, stderr } = await test(...argv, '--json');
    if (stdout === '') expect.fail(stderr);
    return { status, report: Object(JSON.parse(stdout)) };
  };

  describe('of a workflow without models', () => {
    const { host: _, ...bare } = PROJECT;
    const cases = (...list: readonly unknown[]): Promise<void> =>
      lay({ 'svc-project.json': bare, 'svc.json': ECHO, 'main.clj': ECHO_SOURCE, 'tests/cases.json': list });

    const table: readonly (readonly [what: string, members: object, missed: readonly string[]])[] = [
      ['a value', { expect: { value: { n: 1, list: [1, { a: 2, b: 3 }] } } }, []],
      ['a value of another number class', { expect: { value: { n: 1.0, list: [1, { a: 2, b: 3 }] } } }, []],
      ['another value', { expect: { value: { n: 2, list: [1, { a: 2 }] } } }, ['value/list/1/b', 'value/n']],
      ['a part', { expect: { matches: { list: [1, { a: 2 }] } } }, []],
      ['a part of a list', { expect: { matches: { list: [1] } } }, ['matches/list/1']],
      ['another part', { expect: { matches: { list: [1, { c: 2 }] } } }, ['matches/list/1/c']],
      [
        'a schema',
        { expect: { schema: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: true } } },
        [],
      ],
      [
        'another schema',
        { expect: { schema: { type: 'object', properties: { n: { type: 'string' } }, additionalProperties: true } } },
        ['schema/n'],
      ],
      ['success alone', { expect: {} }, []],
      ['success of a run that fails', { input: { bad: true }, expect: {} }, ['run']],
      ['an error', { input: { bad: true }, expect: { error: 'explicit_failure' } }, []],
      ['another error', { input: { bad: true }, expect: { error: 'runtime_limit_exceeded' } }, ['error']],
      ['an error of a run that succeeds', { expect: { error: 'explicit_failure' } }, ['error']],
      [
        'a program',
        { expect: { program: '(fn [result run] (and (= 1 (get result "n")) (= "ok" (get run "status"))))' } },
        [],
      ],
      ['a program that says no', { expect: { program: '(fn [result run] false)' } }, ['program']],
      ['a program that fails', { expect: { program: '(fn [result run] (/ 1 0))' } }, ['program']],
      ['scores', { expect: { program: '(fn [result run] {"quality" 0.5 "speed" 1})' } }, []],
      ['a score that is none', { expect: { program: '(fn [result run] {"quality" 1.5})' } }, ['program']],
      [
        'a program that judges an error',
        {
          input: { bad: true },
          expect: { error: 'explicit_failure', program: '(fn [r run] (= "explicit_failure" (get run "error")))' },
        },
        [],
      ],
      ['bounds', { expect: { max_cost_usd: 0, max_turns: 0 } }, []],
      ['all of several', { expect: { value: 7, program: '(fn [r run] false)' } }, ['value', 'program']],
    ];
    it('holds every member of what is expected', async () => {
      await cases(...table.map(([name, members]) => ({ name, ...members })));
      const { report, status } = await reportOf();
      expect(status).to.equal(5);
      const found = report.cases.map(({ name, runs }) => [
        name,
        (runs[0]?.misses ?? []).map(({ expectation, path }) => `${expectation}${path}`),
      ]);
      expect(found).to.deep.equal(table.map(([name, , missed]) => [name, missed]));
      const scored = report.cases.find(({ name }) => name === 'scores');
      expect(scored?.scores).to.deep.equal({ quality: 0.5, speed: 1 });
      const failing = table.filter(([, , missed]) => missed.length > 0).length;
      expect(report.totals).to.deep.include({ cases: table.length, failed: failing, passed: table.length - failing });
    });

    it('ends with 0 when all pass, and takes names and tags', async () => {
      await cases(
        { name: 'one', expect: {}, tags: ['quick'] },
        { name: 'one more', expect: {} },
        { name: 'wrong', expect: { value: 1 } },
      );
      expect(await test('one')).to.deep.include({ status: 0, stderr: '' });
      expect((await reportOf('one')).report.totals.cases).to.equal(1);
      expect((await reportOf('more', 'wrong')).report.totals).to.deep.include({ cases: 2, failed: 1 });
      expect((await reportOf('--tag', 'quick')).report.totals.cases).to.equal(1);
      expect(await test('nobody')).to.deep.include({ status: 2, stdout: '' });
      expect((await test('wrogn')).stderr).to.include('no case has the name or tag wrogn; did you mean wrong?');
    });

    it('takes 255 names beside the document, and says no more of those that no case has than a person reads', async () => {
      await cases({ name: 'one', expect: {} });
      const names = Array.from({ length: 255 }, (_, at) => `other ${String(at)}`);
      expect((await reportOf(...names.map(() => 'one'))).status).to.equal(0);
      const { status, stderr } = await test(...names);
      expect(status).to.equal(2);
      expect(stderr).to.match(/no case has the name or tag other 0, other 1, [^\n]* and 231 more; write one\n$/u);
      expect(await test(...names, 'one more')).to.deep.include({ status: 2, stdout: '' });
    });

    it('refuses cases that are none with 3, and their place', async () => {
      await cases({ name: 'one', expects: {} });
      const { status, stdout, stderr } = await test();
      expect({ status, stdout }).to.deep.equal({ status: 3, stdout: '' });
      expect(stderr).to.match(/tests\/cases\.json:\d+:\d+/u);
      await cases({ name: 'one', expect: { program: '(fn [result' } });
      expect((await test()).stderr).to.match(/tests\/cases\.json:\d+:\d+/u);
    });

    it('refuses an application that is none as svc validate does', async () => {
      await cases({ name: 'one', expect: {} });
      await lay({ 'main.clj': '(ns main) (defn run [input] (nope input))' });
      const { status, stderr } = await test();
      expect(status).to.equal(3);
      expect(stderr).to.include('main.clj:1:');
    });

    it('has no cases without any, and knows which options exclude each other', async () => {
      await cases();
      expect((await test()).status).to.equal(2);
      for (const argv of [
        ['--models', 'a'],
        ['--budget', '1'],
        ['--live', '--budget', 'x'],
        ['--record', '--live'],
      ])
        expect((await test(...argv)).status, argv.join(' ')).to.equal(2);
    });

    it('tells the same numbers on the terminal, as JSON, as JUnit, and in what it keeps', async () => {
      await cases(
        { name: 'right <&>', expect: {} },
        { name: 'wrong', expect: { value: 1 } },
        { name: 'real', live: true, expect: {} },
      );
      const { stdout, status } = await test('--junit', 'report.xml');
      expect(status).to.equal(5);
      expect(stdout)
        .to.match(/^pass {2}right <&> /mu)
        .and.to.match(/^FAIL {2}wrong /mu)
        .and.to.match(/^skip {2}real /mu);
      expect(stdout).to.include('1 passed, 1 failed, 1 skipped, 2 runs');
      const xml = await room.file('report.xml');
      expect(xml).to.match(/<testsuites name="svc-project.json" tests="3" failures="1" errors="0" skipped="1"/u);
      expect(xml).to.include('name="right &lt;&amp;&gt;"');
      const [name = ''] = await readdir(join(room.directory, '.svc/tests'));
      const trialReport: TrialReport = JSON.parse(await readFile(join(room.directory, '.svc/tests', name), 'utf8'));
      expect(trialReport.totals).to.deep.include({ cases: 3, passed: 1, failed: 1, skipped: 1, runs: 2 });
      const runs = trialReport.cases.flatMap(({ runs: own }) => own.map(({ run_ref }) => `${run_ref}.jsonl`));
      expect(await readdir(join(room.directory, '.svc/traces'))).to.have.members(runs);
      expect((await test('--junit', 'report.xml')).status).to.equal(7);
    });

    it('writes what runs came to in the place of what was expected, and shows the difference', async () => {
      const text =
        '[\n  {"name": "a", "expect": {"value": {"n": 0}}},\n  {"name": "b",\n   "expect": {"matches": {"n": 9}}},\n  {"name": "c", "expect": {"error": "explicit_failure"}}\n]\n';
      await cases();
      await lay({ 'tests/cases.json': text });
      const { stdout, status } = await test('--update');
      expect(status).to.equal(5);
      expect(stdout)
        .to.match(/value\/n: differs\n +expected 0\n +actual {3}1\n/u)
        .and.to.include('updated a in tests/');
      expect(await room.file('tests/cases.json')).to.equal(
        text.replace('{"n": 0}', '{"list":[1,{"a":2,"b":3}],"n":1}').replace('{"n": 9}', '{"n":1}'),
      );
      expect((await test('a', 'b')).status).to.equal(0);
    });
  });

  describe('of an application with a model', () => {
    const install = () => ({
      small: room.model(),
      large: room.model({ model: `openai-compat:${room.server.url}/v1|other` }),
    });
    const cases = (...list: readonly unknown[]): Promise<void> =>
      lay({
        'svc-project.json': PROJECT,
        'svc.json': {
          ...ECHO,
          input: { value: { text: 'good morning' } },
          providers: { workflow: [{ name: 'small' }] },
        },
        'svc-host.json': { install: install(), credentials: { key: { env: 'KEY' } } },
        'main.clj': ASK_SOURCE,
        'tests/cases.json': list,
      });

    /** The same with prices, which a budget needs: 9 + 3 tokens cost 21 millionths of a dollar. */
    const priced = async (...list: readonly unknown[]): Promise<void> => {
      await cases(...list);
      const small = room.model({
        usage_guarantees: { tokens: true, cost_currency: 'USD' },
        reservation_tariff: { currency: 'USD', id: 'list-price' },
        prices: { input: '1', output: '4' },
        params: { max_tokens: 3 },
      });
      await lay({ 'svc-host.json': { install: { small }, credentials: { key: { env: 'KEY' } } } });
    };

    beforeEach(async () => {
      await room.serve([{ times: 'any', action: { answer: { text: 'hello', usage: { input: 9, output: 3 } } } }]);
    });

    it('asks nobody unless it is told to', async () => {
      await cases({ name: 'replayed', expect: {} }, { name: 'real', live: true, expect: {} });
      const { report, status } = await reportOf();
      expect(status).to.equal(5);
      expect(report.cases[0]?.problem).to.include('small would be reached over the network');
      expect(report.cases[1]).to.deep.include({ status: 'skipped', skipped_for: 'live' });
      expect(room.server.requests).to.have.length(0);
    });

    it('records fixtures and the host that replays them, and replays them without a network', async () => {
      await cases({ name: 'greeting', fixtures: 'fixtures/greeting.jsonl', expect: { value: { said: 'hello' } } });
      expect((await test()).status).to.equal(3);
      const { report, status } = await reportOf('--record');
      expect(status, JSON.stringify(report)).to.equal(0);
      expect(report.cases[0]).to.deep.include({ recorded: true, mode: 'live' });
      const files = ['greeting.jsonl', 'greeting.requests.jsonl', 'greeting.svc-host.json'];
      expect(await readdir(join(room.directory, 'tests/fixtures'))).to.have.members(files);
      for (const name of files)
        expect((await stat(join(room.directory, 'tests/fixtures', name))).mode & 0o777).to.equal(0o600);
      const requested = room.server.requests.length;
      expect((await test()).status).to.equal(0);
      expect(room.server.requests).to.have.length(requested);
      const replayed = await runResident({
        argv: ['run', 'svc-project.json', '--host-config', 'tests/fixtures/greeting.svc-host.json'],
        directory: room.directory,
      });
      expect(replayed).to.deep.include({ status: 0, stdout: '{"said":"hello"}\n' });
    });

    it('shows both texts of a request that no fixture answers side by side', async () => {
      const one = { name: 'greeting', fixtures: 'fixtures/greeting.jsonl', expect: {} };
      await cases(one);
      expect((await test('--record')).status).to.equal(0);
      await cases({ ...one, input: { text: 'good evening' } });
      const { stdout, status } = await test();
      expect(status).to.equal(5);
      expect(stdout).to.match(/messages\[0\]\.content/u);
      expect(stdout)
        .to.match(/asked +\| recorded/u)
        .and.to.match(/good evening +\| good morning/u);
    });

    it('runs live cases so often, and tells rate, interval, cost, tokens, turns and latency', async () => {
      await cases({ name: 'real', live: true, repeat: 4, expect: { value: { said: 'hello' } } });
      const { report, status } = await reportOf('--live');
      expect(status, JSON.stringify(report.cases)).to.equal(0);
      const [real] = report.cases;
      if (real === undefined) expect.fail('the case is told');
      expect(real.runs).to.have.length(4);
      expect(real.pass_rate).to.deep.include({ passed: 4, runs: 4, rate: 1, high: 1 });
      expect(real.pass_rate.low).to.be.closeTo(0.51, 0.01);
      expect(real.tokens).to.deep.equal({ mean: 12, worst: 12 });
      expect(Object.keys(real)).to.include.members(['cost_usd', 'turns', 'duration_ms']);
      const { stdout } = await test('--live');
      expect(stdout)
        .to.match(/4 of 4, 95 %: 51 to 100 %/u)
        .and.to.match(/^real +4\/4 +51-100 %/mu);
    });

    it('says by which bound a case fails, and what the run took', async () => {
      await priced({ name: 'dear', live: true, expect: { max_cost_usd: 0.000001 } });
      const { stdout, status } = await test('--live');
      expect(status).to.equal(5);
      expect(stdout)
        .to.match(/^FAIL {2}dear {2}\(live\)/mu)
        .and.to.match(/max_cost_usd: the run cost more\n +expected 0\.000001\n +actual {3}0\.000021\n/u);
    });

    it('says of a run that --budget ended what was left for it, though the host limits no costs', async () => {
      const real = (name: string) => ({ name, live: true, expect: { value: { said: 'hello' } } });
      await priced(real('first'), real('second'));
      const { stdout, status } = await test('--live', '--budget', '0.00003');
      expect(status).to.equal(5);
      expect(stdout)
        .to.match(/^FAIL {2}first /mu)
        .and.to.include('runtime_limit_exceeded: a runtime limit was exceeded; --budget left $0.000030 for this run');
      expect(room.server.requests, 'a request that could cost more is not sent').to.have.length(0);
      expect((await reportOf('--live', '--budget', '1')).report.totals).to.deep.include({
        passed: 2,
        cost_usd: 0.000042,
      });
    });

    it('runs the same cases with several models beside each other', async () => {
      await cases({ name: 'real', live: true, expect: {} });
      const { report } = await reportOf('--live', '--models', 'small,large');
      expect(report.cases.map(({ model }) => model)).to.deep.equal(['small', 'large']);
      expect(report.models.map(({ model, pass_rate }) => [model, pass_rate.runs])).to.deep.equal([
        ['small', 1],
        ['large', 1],
      ]);
      expect(new Set(room.server.requests.map(({ body }) => Object(JSON.parse(body)).model)).size).to.equal(2);
      const { report: none } = await reportOf('--live', '--models', 'nobody');
      expect(none.cases[0]?.problem).to.include('small, large');
    });
  });
});
