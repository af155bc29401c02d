/** Reports of `svc test` in the viewer, and that every form of a report has the same figures (first-day.md §2). */
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, type Ended } from '../../../conformance/cli/program.ts';
import { describeWhere } from '../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import type { Report, ReportList } from '../../../viewer/src/data.ts';
import { CHROMIUM, barriers, openBrowser, settled, struck, visit, type Browser } from './browser/chromium.ts';
import { serve, type ServedViewer } from './viewer.ts';

const HOSTILE = '<img src=x onerror="globalThis.struck = 1">';
const PROGRAM = '(ns main)\n(defn run [input] {"said" (str "good day " (get input "name"))})\n';
const BETTER = '(ns main)\n(defn run [input] {"said" (str "hello " (get input "name"))})\n';
const CASES = [
  { name: 'greets', input: { name: 'Ada' }, expect: { value: { said: 'hello Ada' } } },
  { name: HOSTILE, input: { name: 'Eve' }, expect: { value: { said: 'good day Eve' } } },
  { name: 'asks a model', live: true, input: { name: 'Bob' }, expect: { value: {} } },
];
const project = (isPrivate: boolean): object => ({
  version: 1,
  kind: 'svc-project',
  application: { path: 'svc.json' },
  artifacts: { root: '.svc', trace: true },
  viewer: { private: isPrivate, open: false, port: 0 },
});

describe('reports of svc test', () => {
  let directory: string;
  let open: ServedViewer;
  let closed: ServedViewer;
  const references: string[] = [];

  const test = async (...argv: readonly string[]): Promise<Ended> => {
    const ended = await runToEnd({ argv: ['test', 'svc-project.json', ...argv], directory });
    const stored = readdirSync(join(directory, '.svc/tests')).map((name) => name.replace('.json', ''));
    references.push(...stored.filter((name) => !references.includes(name)));
    return ended;
  };
  const answerOf = async <T>(viewer: ServedViewer, path: string): Promise<readonly [number, T]> => {
    const response = await fetch(new URL(path, viewer.url));
    return [response.status, JSON.parse(await response.text())];
  };
  const reportOf = async (viewer: ServedViewer, reference = ''): Promise<Report> =>
    (await answerOf<{ report: Report }>(viewer, `/api/tests/${reference}`))[1].report;
  let first: Ended;

  before(async () => {
    directory = makeWorkDirectory({
      'svc-project.json': project(false),
      'private.svc-project.json': project(true),
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: { name: 'world' } },
      },
      'main.clj': PROGRAM,
      'tests/cases.json': CASES,
    });
    first = await test('--junit', 'junit.xml');
    writeFileSync(join(directory, 'main.clj'), BETTER);
    await test();
    [open, closed] = await Promise.all([
      serve(directory, ['private.svc-project.json']),
      serve(directory, ['svc-project.json']),
    ]);
  });
  after(async () => {
    await Promise.all([open?.stop(), closed?.stop()]);
    removeWorkDirectory(directory);
  });

  it('have the same figures at the terminal, in JUnit, in JSON and in the viewer', async () => {
    expect(first.status).to.equal(5);
    const [, passed, failed, skipped, runs] =
      /^(\d+) passed, (\d+) failed, (\d+) skipped, (\d+) runs/m.exec(first.stdout)?.map(Number) ?? [];
    const shown = await reportOf(closed, references[0]);
    const shownReport: Report = JSON.parse(readFileSync(join(directory, `.svc/tests/${references[0]}.json`), 'utf8'));
    expect(shown.totals).to.deep.equal({ ...shownReport.totals, cases: 3, passed, failed, skipped, runs });
    expect([passed, failed, skipped, runs]).to.deep.equal([1, 1, 1, 2]);
    const junit = readFileSync(join(directory, 'junit.xml'), 'utf8');
    expect(junit).to.match(/<testsuites [^>]*tests="3" failures="1" errors="0" skipped="1" time="([\d.]+)"/);
    expect(Number(/<testsuites [^>]*time="([\d.]+)"/.exec(junit)?.[1])).to.equal(shownReport.duration_ms / 1000);
    expect(junit.match(/<testcase /g)).to.have.length(shownReport.totals.cases);
    const { stdout } = await test('--json');
    const printed: Report = JSON.parse(stdout);
    expect(printed).to.deep.equal(
      JSON.parse(readFileSync(join(directory, `.svc/tests/${printed.report}.json`), 'utf8')),
    );
    expect((await reportOf(open, printed.report)).totals).to.deep.equal(printed.totals);
  });

  it('are listed newest first, without cases', async () => {
    const [status, { reports, total }] = await answerOf<ReportList>(closed, '/api/tests');
    expect([status, total]).to.deep.equal([200, references.length]);
    expect(reports.map(({ report }) => report)).to.deep.equal(references.toReversed());
    for (const head of reports) expect(head).not.to.have.property('cases');
  });

  it('show values only where the project shows what is private', async () => {
    const missOf = ({ cases }: Report) => cases[0]?.runs[0]?.misses[0];
    expect(missOf(await reportOf(open, references[0]))?.actual).to.include('good day Ada');
    expect(missOf(await reportOf(closed, references[0]))).to.include({ expected: null, actual: null });
    const text = JSON.stringify(await reportOf(closed, references[0]));
    expect(text).not.to.include('good day');
  });

  it('are no other file: damaged, linked, absent or named by a path', async () => {
    const folder = join(directory, '.svc/tests');
    const name = (last: string): string => `cmd-0${'0'.repeat(24)}${last}`;
    writeFileSync(join(folder, `${name('1')}.json`), '{"kind":"svc-test-report"');
    writeFileSync(join(folder, `${name('2')}.json`), '{"kind":"svc-test-report","report":"other"}');
    symlinkSync(join(directory, 'svc.json'), join(folder, `${name('3')}.json`));
    mkdirSync(join(folder, `${name('4')}.json`));
    for (const [reference, status, code] of [
      [name('1'), 422, 'report_damaged'],
      [name('2'), 422, 'report_damaged'],
      [name('3'), 404, 'report_missing'],
      [name('4'), 404, 'report_missing'],
      [name('5'), 404, 'report_missing'],
      ['..%2f..%2fsvc', 404, 'report_missing'],
      ['latest', 404, 'report_missing'],
    ] as const) {
      const [found, answer] = await answerOf<{ error: { code: string } }>(open, `/api/tests/${reference}`);
      expect([found, answer.error.code], reference).to.deep.equal([status, code]);
    }
    const [, { reports }] = await answerOf<ReportList>(open, '/api/tests');
    expect(reports.map(({ report }) => report)).to.deep.equal(references.toReversed());
  });

  describeWhere(CHROMIUM, 'in Chromium', () => {
    let browser: Browser;
    before(async () => {
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
    });

    it('are compared case by case, and open their runs', async () => {
      const page = await browser.page();
      await visit(page, open.url, '#/tests');
      expect(await barriers(page)).to.deep.equal([]);
      for (const reference of references.slice(0, 2))
        await page.getByRole('checkbox', { name: `Compare ${reference}` }).check();
      await page.getByRole('link', { name: 'Compare the two' }).click();
      await settled(page);
      const cases = page.getByRole('region', { name: 'Cases' });
      await cases.waitFor();
      const rows = (await cases.locator('tbody tr').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
      expect(rows[0]).to.match(/onerror=.* fails now ✓ ok.*✗ failed/);
      expect(rows[1]).to.match(/greets passes now ✗ failed.*actual .*good day Ada.*✓ ok/);
      expect(rows[2]).to.match(/asks a model same/);
      await page.getByRole('region', { name: 'Figures of the reports' }).getByText('Passed').waitFor();
      expect(await barriers(page)).to.deep.equal([]);
      expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
      await cases.getByRole('link', { name: 'run 1' }).first().click();
      await settled(page);
      expect(page.url()).to.match(/#\/run\/cmd-/);
      expect(await page.getByRole('alert').count()).to.equal(0);
    });

    for (const theme of ['light', 'dark'] as const) {
      it(`have no barrier on a phone, and fit, ${theme}`, async () => {
        const phone = await browser.page(390, 800);
        await phone.emulateMedia({ colorScheme: theme });
        const [older = '', newer = ''] = references;
        for (const hash of ['#/tests', `#/tests/${older}`, `#/tests/${older}/${newer}`]) {
          await visit(phone, open.url, hash);
          await phone.getByRole('region').first().waitFor();
          expect(await barriers(phone), hash).to.deep.equal([]);
          expect(await phone.evaluate('document.documentElement.scrollWidth'), hash).to.equal(390);
        }
        await phone.close();
      });
    }

    it('are one where only one is named, on a phone too, and say what is missing', async () => {
      const page = await browser.page(360, 740);
      await visit(page, closed.url, `#/tests/${references[0]}`);
      await page.getByRole('region', { name: 'Cases' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.below(1);
      await visit(page, closed.url, '#/tests/none');
      expect(await page.getByRole('alert').textContent()).to.include('there is no report of this reference');
    });
  });
});
