/** A run started in the browser: its bars move while it goes on, and it ends by the button (first-day.md §7). */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, barriers, openBrowser, picture, struck, visit, type Browser } from './chromium.ts';

const PROGRAM = `(ns main)
(defn run [input]
  (tool/kernel-eval {"mission" "room" "kind" "source" "source" "(return (count (reduce conj [] (range 100000))))"})
  (tool/kernel-eval {"mission" "room" "kind" "source" "source" "(loop [] (recur))"}))
`;

describeWhere(CHROMIUM, 'a run that goes on, in Chromium', () => {
  let directory: string;
  let viewer: ServedViewer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = makeWorkDirectory({
      'main.clj': PROGRAM,
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: { room: {} },
        input: { value: {} },
        limits: { workflow_timeout_ms: 300_000, run_duration_ms: 300_000, evaluation_timeout_ms: 290_000 },
      },
      'project.json': {
        kind: 'svc-project',
        version: 1,
        application: { path: 'svc.json' },
        artifacts: { root: '.svc', trace: true },
      },
    });
    [viewer, browser] = await Promise.all([serve(directory, ['project.json']), openBrowser()]);
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  it('has bars that move, and ends by its button', async () => {
    await visit(page, viewer.url, '#/live');
    const form = page.getByRole('region', { name: 'Start' });
    await form.getByRole('button', { name: /^Run / }).click();
    const card = page.getByRole('article', { name: /^Run cmd-/ });
    // What is over takes less and less of the time, which goes on.
    const over = card.locator('.live-bar .bar-box:not(.open)').first();
    await over.waitFor();
    await card.locator('.bar-box.open').last().waitFor();
    const before = await over.getAttribute('style');
    await card.locator(`.live-bar .bar-box:not(.open):not([style="${before}"])`).first().waitFor();
    for (const theme of ['light', 'dark']) {
      await page.getByLabel('Theme').selectOption(theme);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await barriers(page), theme).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), theme).to.equal(390);
      await picture(page, `running-${theme}-390`);
    }
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await form.getByRole('status').waitFor();
    await card.getByText('running').waitFor({ state: 'detached' });
    expect(await card.locator('.bar-box.open').count()).to.equal(0);
    await card.getByRole('button', { name: 'View result' }).click();
    await page.getByRole('heading', { level: 1, name: /^cmd-/ }).waitFor();
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
  });
});
