import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { PROGRAMS, runLongAgent, TURNS } from '../long-agent.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, openBrowser, struck, visit, type Browser } from './chromium.ts';

describeWhere(CHROMIUM, `the page of a run of ${String(TURNS)} turns in Chromium (world.md §3.9)`, () => {
  let directory: string;
  let run: string;
  let viewer: ServedViewer | undefined;
  let browser: Browser | undefined;
  let page: Page;
  before(async () => {
    directory = makeWorkDirectory();
    run = await runLongAgent(directory);
    [viewer, browser] = await Promise.all([serve(directory, ['project.json']), openBrowser()]);
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  it('leads to every turn, and shows the program of each', async () => {
    await visit(page, viewer?.url ?? '', `#/run/${run}/turns`);
    const links = page.getByRole('navigation', { name: 'Turns' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.count()).to.equal(TURNS);
    for (const [nth, program] of PROGRAMS.entries()) {
      await links.nth(nth).click();
      const shown = page.getByRole('region', { name: `Program of mission-evaluation-${String(nth + 1)}`, exact: true });
      expect(await shown.textContent(), String(nth + 1)).to.include(program.slice(0, 20));
    }
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
  });

  it('opens at the last turn where the address names it', async () => {
    await visit(page, viewer?.url ?? '', `#/run/${run}/turn/stream-1/${String(TURNS)}`);
    const shown = page.getByRole('region', { name: `Program of mission-evaluation-${String(TURNS)}`, exact: true });
    expect(await shown.textContent()).to.include('(return :done)');
  });
});
