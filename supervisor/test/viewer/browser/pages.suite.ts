import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { start } from '../../../../conformance/cli/program.ts';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { HOSTILE, showProject, type ShownProject } from '../evidence.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, barriers, openBrowser, picture, settled, struck, visit, type Browser } from './chromium.ts';

const CLEAN = { violations: [], struck: null };

describeWhere(CHROMIUM, 'the page of the viewer in Chromium (evidence.md §11, §12)', () => {
  let work: string;
  let project: ShownProject;
  let open: ServedViewer;
  let closed: ServedViewer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    work = makeWorkDirectory();
    project = await showProject(work);
    [open, closed, browser] = await Promise.all([
      serve(project.directory, [project.open]),
      serve(project.directory, [project.closed]),
      openBrowser(),
    ]);
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([open?.stop(), closed?.stop()]);
    removeWorkDirectory(work);
  });

  it('leads from the list to the cause of a failed agent run in two clicks', async () => {
    await visit(page, open.url, '#/');
    await page.getByRole('link', { name: project.failed }).click();
    await settled(page);
    const why = page.getByRole('region', { name: /^Why it failed/ });
    expect(await why.textContent()).to.include('Record the answers again');
    await why
      .getByRole('link', { name: /llm-request/ })
      .first()
      .click();
    await page
      .getByRole('complementary', { name: 'Chosen part' })
      .getByText(/not_found/)
      .first()
      .waitFor();
    expect(page.url()).to.match(/\/capability\/capability-\d+$/);
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('shows what the model saw, wrote and got, turn by turn', async () => {
    await visit(page, open.url, `#/run/${project.good}/turn/stream-1/2`);
    expect(await page.getByRole('region', { name: 'Program of mission-evaluation-2' }).textContent()).to.include(
      'tickets/breached?',
    );
    expect(await page.getByRole('region', { name: 'Feedback to the model' }).textContent()).to.include(
      'The program failed',
    );
    await page.getByRole('navigation', { name: 'Turns' }).getByRole('link', { name: '3' }).click();
    await page.getByRole('region', { name: 'Program of mission-evaluation-3' }).waitFor();
  });

  it('shows in the waterfall what a bar did, and leads to its turn', async () => {
    await visit(page, open.url, `#/run/${project.good}/evaluation/mission-evaluation-2`);
    const chosen = page.getByRole('complementary', { name: 'Chosen part' });
    await chosen.getByRole('heading', { name: /^Program, failed in line \d+$/ }).waitFor();
    expect(await chosen.locator('mark').count()).to.equal(1);
    await chosen.getByRole('region', { name: 'Error of mission-evaluation-2' }).waitFor();
    await chosen.getByRole('link', { name: 'Turn 2 of stream-1' }).click();
    await page.getByRole('article', { name: 'Turn 2' }).waitFor();
    await visit(page, open.url, `#/run/${project.good}`);
    const rows = page.getByRole('region', { name: 'Waterfall' });
    await rows
      .getByRole('link', { name: /kernel-eval/ })
      .first()
      .click();
    await chosen
      .getByRole('region', { name: /^Arguments of/ })
      .getByText('"mission"')
      .waitFor();
    await chosen.getByRole('region', { name: /^Result of/ }).waitFor();
  });

  it('zooms and folds the waterfall, by its buttons and by keys', async () => {
    await visit(page, open.url, `#/run/${project.good}`);
    const rows = page.getByRole('region', { name: 'Waterfall' });
    const all = await rows.getByRole('link').count();
    await rows.getByRole('button', { name: 'What is in workflow' }).click();
    expect(await rows.getByRole('link').count()).to.equal(1);
    const bars = page.locator('.rows .span');
    // What is chosen is shown whatever is folded. A key is for the bar that is chosen when it is pressed.
    await page.keyboard.press('j');
    await rows.locator('.chosen').waitFor();
    await page.keyboard.press('j');
    // The page lets nothing be evaluated from text: what a wait polls has to be a locator.
    await bars.nth(all - 1).waitFor();
    await page.keyboard.press('k');
    await bars.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    await bars.nth(all - 1).waitFor();
    expect(await bars.count()).to.equal(all);
    const shown = page.getByRole('group', { name: 'Time that is shown' }).getByRole('status');
    const whole = await shown.textContent();
    await page.getByRole('button', { name: 'Chosen bar' }).click();
    expect(await shown.textContent()).not.to.equal(whole);
    await page.keyboard.press('0');
    await shown.getByText(whole ?? '').waitFor();
    await page.keyboard.press('+');
    expect(await shown.textContent()).not.to.equal(whole);
    await page.getByRole('button', { name: 'Farther' }).click();
    await shown.getByText(whole ?? '').waitFor();
  });

  it('opens a failed run at the program that failed, with the place marked', async () => {
    await visit(page, open.url, `#/run/${project.failed}`);
    const why = page.getByRole('region', { name: /^Why it failed/ });
    const program = why.getByRole('region', { name: 'Program that failed' });
    await program.waitFor();
    expect(await program.locator('mark').count()).to.equal(1);
    await visit(page, closed.url, `#/run/${project.failed}`);
    expect(await page.getByRole('region', { name: 'Program that failed' }).count()).to.equal(0);
  });

  it('keeps on a phone what the list of runs tells', async () => {
    const phone = await browser.page(390, 800);
    await visit(phone, open.url, '#/');
    for (const label of ['Started', 'Duration', 'Model calls', 'Tokens', 'Cost']) {
      const box = await phone.locator(`td[data-label="${label}"]`).first().boundingBox();
      expect(box?.width, label).to.be.greaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0), label).to.be.at.most(390);
    }
    expect(await barriers(phone)).to.deep.equal([]);
    await picture(phone, 'phone');
    await phone.close();
  });

  it('shows nothing private without the grant, nor keeps it', async () => {
    await visit(page, closed.url, `#/run/${project.good}/turns`);
    await page.getByText('What was said is not shown').waitFor();
    expect(await page.content()).not.to.match(/tickets\/breached\?|SVC_AGENT_PROMPT/);
    await page.getByRole('status').getByText('Sanitized').waitFor();
    expect(await page.getByRole('button', { name: 'Export with private evidence' }).count()).to.equal(0);
  });

  it('finds texts in a run, and runs in the list', async () => {
    await visit(page, open.url, `#/run/${project.good}`);
    await page.keyboard.press('/');
    await page.keyboard.type('breached?');
    await page
      .getByRole('region', { name: 'Found' })
      .getByRole('link', { name: /^turn 2/ })
      .click();
    await page.getByRole('article', { name: 'Turn 2' }).waitFor();
    await visit(page, open.url, '#/');
    await page.getByLabel('Search runs').fill(`${project.failed} error`);
    await page.getByRole('link', { name: project.good }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).to.equal(2);
    await page.getByLabel('Search runs').fill('no such run');
    await page.getByText('No run fits').waitFor();
  });

  it('compares two runs and tells where they part', async () => {
    await visit(page, open.url, '#/');
    await page.getByLabel(`compare ${project.good}`).check();
    await page.getByLabel(`compare ${project.failed}`).check();
    await page.getByRole('link', { name: 'Compare the two' }).click();
    await page.getByRole('heading', { name: 'They part at llm-request · deepseek #3' }).waitFor();
    await page.getByRole('heading', { name: 'Their prompts part at exchange 4' }).waitFor();
    await picture(page, 'diff');
  });

  it('is used by keys alone', async () => {
    await visit(page, open.url, '#/');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: project.failed }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('complementary', { name: 'Chosen part' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('navigation', { name: 'Turns' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  it('shows hostile evidence as text', async () => {
    for (const tab of ['waterfall', 'turns', 'events', 'components', 'result']) {
      await visit(page, open.url, `#/run/${project.hostile}/${tab}`);
      expect(await struck(page), tab).to.deep.equal(CLEAN);
      expect(await page.locator('img').count()).to.equal(0);
    }
    const text = await page.locator('main').textContent();
    expect(text).to.include('<img src=x').and.include('⟨U+202E⟩');
    expect(text).not.to.include('\u202E');
    expect(HOSTILE).to.include('\u202E');
  });

  it('exports a run as one file that is read without a network', async () => {
    await visit(page, open.url, `#/run/${project.failed}`);
    const store = async (button: () => Promise<void>): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), button()]);
      return readFileSync(await download.path(), 'utf8');
    };
    const bare = await store(async () => page.getByRole('button', { name: 'Export', exact: true }).click());
    expect(bare).not.to.match(/tickets\/breached\?|SVC_AGENT_PROMPT/);
    const full = await store(async () => {
      await page.getByRole('button', { name: 'Export with private evidence' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Export with private evidence' }).click();
    });
    const reader = await browser.page();
    await browser.context.setOffline(true);
    try {
      for (const [name, text, isPrivate] of [
        ['bare.html', bare, false],
        ['full.html', full, true],
      ] as const) {
        const file = join(work, name);
        writeFileSync(file, text);
        await reader.goto(pathToFileURL(file).href);
        await settled(reader);
        await reader.getByRole('region', { name: /^Why it failed/ }).waitFor();
        await reader
          .getByRole('navigation', { name: 'Views of this run' })
          .getByRole('link', { name: 'turns' })
          .click();
        await reader
          .getByRole('region', { name: 'Program of mission-evaluation-1' })
          .or(reader.getByText('What was said is not shown'))
          .waitFor();
        expect(await reader.getByRole('region', { name: 'Program of mission-evaluation-1' }).count(), name).to.equal(
          isPrivate ? 1 : 0,
        );
        expect(await struck(reader)).to.deep.equal(CLEAN);
      }
      await picture(reader, 'export');
    } finally {
      await browser.context.setOffline(false);
      await reader.close();
    }
  });

  it('gives the trace to OpenTelemetry', async () => {
    await visit(page, open.url, `#/run/${project.good}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'OTLP' }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal(`${project.good}.otlp.json`);
    const [
      {
        scopeSpans: [{ spans }],
      },
    ] = Object(JSON.parse(readFileSync(await download.path(), 'utf8'))).resourceSpans;
    const ids = new Set(spans.map(({ spanId }: { spanId: string }) => spanId));
    expect(ids.size).to.equal(spans.length);
    for (const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      expect([traceId, spanId].join()).to.match(/^[0-9a-f]{32},[0-9a-f]{16}$/);
      if (parentSpanId !== undefined) expect(ids.has(parentSpanId)).to.equal(true);
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).to.equal(true);
    }
    expect(spans.map(({ name }: { name: string }) => name)).to.include.members([
      'invoke_workflow',
      'svc.evaluation',
      'chat deepseek',
      'execute_tool run_svc_lisp',
    ]);
  });

  it('follows a run from its start to its end, and opens what it left', async () => {
    writeFileSync(join(project.directory, 'long.clj'), '(ns long)\n(defn run [input] (loop [] (recur)))\n');
    writeFileSync(
      join(project.directory, 'long.json'),
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'long', path: 'long.clj' }], entry: 'long/run' },
        input: { value: {} },
        limits: { workflow_timeout_ms: 5000 },
      }),
    );
    writeFileSync(
      join(project.directory, 'long-project.json'),
      JSON.stringify({
        kind: 'svc-project',
        version: 1,
        application: { path: 'long.json' },
        artifacts: { root: '.svc', trace: true },
      }),
    );
    await visit(page, open.url, '#/live');
    await page.getByText('No run is reporting').waitFor();
    const running = start({
      argv: ['run', 'long-project.json'],
      directory: project.directory,
      environment: { SVC_VIEWER_URL: open.url },
    });
    const card = page.getByRole('article', { name: /^Run cmd-/ });
    await card.getByText('running').waitFor();
    const frame = {
      label: 'told',
      seq: 1,
      phase: 'running',
      elapsed_ms: 9000,
      usage: {
        model_calls: 12,
        tokens: 34_567,
        llm_spend: { state: 'available', total_cost: { currency: 'USD', microunits: 89_000 } },
      },
      agents: [{ id: 'agent-0123456789abcdef', turn: 12, max_turns: 200, kind: 'tool-call' }],
      programs: [
        { line: HOSTILE, outcome: null },
        { line: '(def total 5)', outcome: 'continued' },
      ],
      activity: [],
    };
    const post = await fetch(new URL('/api/live/runs/r-told', open.url), {
      method: 'POST',
      body: JSON.stringify(frame),
    });
    expect(post.status).to.equal(200);
    const locator = page.getByRole('article', { name: 'Run r-told' });
    for (const text of ['turn 12 of 200', '34,567', '$0.0890', '(def total 5)', 'continued', '<img src=x'])
      await locator.getByText(text).first().waitFor();
    await picture(page, 'live');
    const { status, stderr } = await running.ended;
    expect([status, stderr.includes('warning')]).to.deep.equal([6, false]);
    await card.getByText('error').first().waitFor();
    await card.getByRole('button', { name: 'View result' }).click();
    await page.getByRole('region', { name: /^Why it failed/ }).waitFor();
  });

  it('starts the project, shows its limits, and leads to what came out', async () => {
    await visit(page, open.url, '#/live');
    const form = page.getByRole('region', { name: 'Start' });
    await form.getByText('Components and limits').click();
    await form.getByRole('row', { name: /^workflow_timeout_ms / }).waitFor();
    await form.getByLabel(/^Input of agent\.main\/run/).fill('{');
    await form.getByRole('button', { name: /^Run / }).click();
    await form.getByRole('alert').getByText('The input is no JSON').waitFor();
    await visit(page, open.url, '#/');
    await visit(page, open.url, '#/live');
    await form.getByRole('button', { name: /^Run / }).click();
    await form.getByRole('status').getByText('It ended well').waitFor();
    const card = page.getByRole('article', { name: /^Run cmd-/ }).first();
    await card.getByRole('list', { name: 'Agents' }).getByText('turn 4 of 5').waitFor();
    const programs = card.getByRole('list', { name: 'Newest programs' }).getByRole('listitem');
    await programs.first().getByText('returned').waitFor();
    expect(await programs.count()).to.equal(4);
    await picture(page, 'launch');
    await page
      .getByRole('article', { name: /^Run cmd-/ })
      .first()
      .getByRole('button', { name: 'View result' })
      .click();
    await page.getByRole('heading', { level: 1, name: /^cmd-/ }).waitFor();
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('shows what an error is related to, and leads there', async () => {
    writeFileSync(
      join(project.directory, 'related.clj'),
      '(ns related)\n(defn run [input] (let [done (tool/kernel-eval {"mission" "room" "kind" "source" "source" "(return 1)"})] (/ done 0)))\n',
    );
    writeFileSync(
      join(project.directory, 'related.json'),
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'related', path: 'related.clj' }], entry: 'related/run' },
        missions: { room: {} },
        input: { value: {} },
      }),
    );
    writeFileSync(
      join(project.directory, 'related-project.json'),
      JSON.stringify({
        kind: 'svc-project',
        version: 1,
        application: { path: 'related.json' },
        artifacts: { root: '.svc', trace: true, inspection: true },
      }),
    );
    const before = new Set(readdirSync(join(project.directory, '.svc/traces')));
    const { status } = await start({ argv: ['run', 'related-project.json'], directory: project.directory }).ended;
    expect(status).to.equal(5);
    const [related = ''] = readdirSync(join(project.directory, '.svc/traces'))
      .filter((name) => !before.has(name))
      .map((name) => name.replace('.jsonl', ''));
    await visit(page, open.url, '#/');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: related }).click();
    const chain = page.getByRole('list', { name: 'What it is related to' });
    const children = chain.getByRole('listitem').filter({ hasText: 'child evaluations' });
    await children.getByText('complete').waitFor();
    await children.getByRole('link').click();
    await page.getByRole('complementary', { name: 'Chosen part' }).waitFor();
    expect(page.url()).to.match(/\/evaluation\/workflow-evaluation-1$/);
    await picture(page, 'related');
  });

  it('keeps no token in its address', async () => {
    const token = 'x'.repeat(40);
    const exposed = await serve(project.directory, [project.open, '--listen', '0.0.0.0'], { SVC_VIEWER_TOKEN: token });
    try {
      const at = exposed.url.replace('0.0.0.0', '127.0.0.1');
      expect((await page.goto(at))?.status()).to.equal(403);
      await page.goto(`${at}?live_token=${token}#/run/${project.good}`);
      await settled(page);
      expect(page.url()).to.equal(`${at}#/run/${project.good}`);
      expect(await page.evaluate('document.cookie')).to.equal('');
      await page.getByRole('button', { name: 'Export with private evidence' }).waitFor();
      // Under another name than this machine's own, private evidence becomes no file.
      await page.goto(`${at.replace('127.0.0.1', 'elsewhere.localhost')}?live_token=${token}#/run/${project.good}`);
      await settled(page);
      await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Export with private evidence' }).count()).to.equal(0);
    } finally {
      await exposed.stop();
    }
  });

  const everyPage = (): readonly (readonly [name: string, hash: string])[] => [
    ['runs', '#/'],
    ['live', '#/live'],
    ['failed', `#/run/${project.failed}`],
    ['waterfall', `#/run/${project.good}/evaluation/mission-evaluation-2`],
    ['turns', `#/run/${project.good}/turn/stream-1/2`],
    ['events', `#/run/${project.good}/seq/10`],
    ['components', `#/run/${project.good}/components`],
    ['result', `#/run/${project.good}/result`],
    ['compared', `#/diff/${project.good}/${project.failed}`],
    ['absent', '#/run/none'],
    ['tests', '#/tests'],
    ['repl', '#/repl'],
    ['approvals', '#/approvals'],
  ];

  for (const theme of ['light', 'dark', 'contrast']) {
    it(`has no barrier on any page, ${theme}`, async () => {
      await visit(page, open.url, '#/');
      await page.getByLabel('Theme').selectOption(theme);
      await page.locator(`html[data-theme="${theme}"]`).waitFor();
      for (const [name, hash] of everyPage()) {
        await visit(page, open.url, hash);
        await page.locator(`html[data-theme="${theme}"]`).waitFor();
        expect(await barriers(page), name).to.deep.equal([]);
        await picture(page, `${name}-${theme}`);
      }
    });
  }

  for (const theme of ['light', 'dark'] as const) {
    it(`has no barrier on any page of a phone, and fits, ${theme}`, async () => {
      const phone = await browser.page(390, 800);
      await phone.emulateMedia({ colorScheme: theme });
      await visit(phone, open.url, '#/');
      await phone.getByLabel('Theme').selectOption(theme);
      for (const [name, hash] of everyPage()) {
        await visit(phone, open.url, hash);
        await phone.locator(`html[data-theme="${theme}"]`).waitFor();
        expect(await barriers(phone), name).to.deep.equal([]);
        expect(await phone.evaluate('document.documentElement.scrollWidth'), name).to.equal(390);
        await picture(phone, `${name}-${theme}-390`);
      }
      await phone.close();
    });
  }

  for (const width of [360, 2560]) {
    it(`fits into ${width} pixels`, async () => {
      const sized = await browser.page(width, 900);
      for (const [name, hash] of [
        ['runs', '#/'],
        ['failed', `#/run/${project.failed}`],
        ['turns', `#/run/${project.good}/turn/stream-1/2`],
        ['events', `#/run/${project.good}/events`],
      ] as const) {
        await visit(sized, open.url, hash);
        expect(await sized.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
        await picture(sized, `${name}-${width}`);
      }
      await sized.close();
    });
  }
});
