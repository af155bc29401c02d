import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { REFUSAL, writeModelRuns, THOUGHT, type ModelRuns } from '../model-runs.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, openBrowser, struck, visit, type Browser } from './chromium.ts';

const CLEAN = { violations: [], struck: null };

describeWhere(CHROMIUM, 'calls of models on the page of the viewer (world.md §1.2, §1.4, §1.5)', () => {
  let work: string;
  let shown: ModelRuns;
  let open: ServedViewer;
  let closed: ServedViewer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    work = makeWorkDirectory();
    shown = await writeModelRuns(work);
    [open, closed, browser] = await Promise.all([
      serve(shown.directory, [shown.open]),
      serve(shown.directory, [shown.closed]),
      openBrowser(),
    ]);
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([open?.stop(), closed?.stop()]);
    removeWorkDirectory(work);
  });

  it('shows what the model thought, and each attempt with its wait and what was said', async () => {
    await visit(page, open.url, `#/run/${shown.retried}/turn/stream-1/1`);
    const attempts = page.getByRole('region', { name: 'Attempts' });
    expect(await attempts.getByRole('heading').textContent()).to.match(/^3 attempts waited \d/);
    const rows = await attempts.getByRole('listitem').allTextContents();
    expect(rows).to.have.length(3);
    expect(rows[0]).to.include('rate limited, HTTP 429').and.include('slow <b>down</b>');
    expect(rows[1]).to.match(/rate limited, HTTP 429\s+after \d/);
    expect(rows[2]).to.match(/ok\s+HTTP 200\s+after \d/);
    await page.getByText('Reasoning', { exact: false }).click();
    const thought = page.getByRole('region', { name: 'Reasoning' });
    await thought.waitFor();
    expect(await thought.textContent()).to.equal(THOUGHT);
    expect(await page.getByRole('region', { name: 'Text of the answer' }).textContent()).to.equal('three');
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('counts attempts and waits without private evidence, and shows no words', async () => {
    await visit(page, closed.url, `#/run/${shown.retried}/turns`);
    await page.getByText('Tokens and cost').click();
    await page.getByRole('columnheader', { name: 'Attempts' }).waitFor();
    expect(await page.getByRole('cell', { name: /^3 waited \d/ }).count()).to.equal(1);
    expect(await page.content()).not.to.match(/slow|I &lt;b&gt;count/);
  });

  it('says of a failed run what the provider said', async () => {
    await visit(page, open.url, `#/run/${shown.refused}`);
    const why = page.getByRole('region', { name: /^Why it failed/ });
    expect(await why.getByRole('region', { name: 'What the provider said' }).textContent()).to.equal(
      `HTTP 400: ${REFUSAL}`,
    );
    await visit(page, closed.url, `#/run/${shown.refused}`);
    await page.getByText('Programs and error texts are not shown').waitFor();
    expect(await page.content()).not.to.include('top_z');
  });
});
