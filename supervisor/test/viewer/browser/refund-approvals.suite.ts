/** The example that asks a person, as its README shows it in the viewer, in a real browser (approvals.md §8). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { runToEnd } from '../../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { startWaiting, type WaitingRun } from '../asking-project.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, openBrowser, struck, visit, type Browser } from './chromium.ts';

const PROJECT = 'svc-project.json';

describeWhere(CHROMIUM, 'examples/refund-approvals in Chromium', () => {
  let work: string;
  let directory: string;
  let viewer: ServedViewer;
  let browser: Browser;
  let run: WaitingRun;
  before(async () => {
    work = makeWorkDirectory({});
    directory = join(work, 'refunds');
    await runToEnd({ argv: ['init', 'refunds', '--example', 'refund-approvals'], directory: work });
    [viewer, browser] = await Promise.all([serve(directory, [PROJECT]), openBrowser()]);
    run = startWaiting(directory, PROJECT);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([viewer?.stop(), run?.stop()]);
    removeWorkDirectory(work);
  });

  it('asks about the three refunds together, and does what three clicks say', async () => {
    await run.asked(3);
    const page = await browser.page();
    await visit(page, viewer.url, '#/approvals');
    const questions = page.getByRole('article', { name: 'Question about refund.write' });
    await page.getByText('3 waiting').waitFor();
    expect(await questions.count()).to.equal(3);
    const about = (ticket: string) => questions.filter({ hasText: ticket });
    expect(await about('refund-T-1004').textContent()).to.include('980.00');
    await about('refund-T-1004').getByLabel('Reason, which the program reads').fill('not without an order');
    await about('refund-T-1004').getByRole('button', { name: 'Deny' }).click();
    await page.getByText('refund.write was denied.').waitFor();
    for (const ticket of ['refund-T-1001', 'refund-T-1003']) {
      await about(ticket).getByRole('button', { name: 'Allow' }).click();
      await about(ticket).waitFor({ state: 'detached' });
    }
    await page.getByText('Nothing waits for a yes').waitFor();
    expect(JSON.parse((await run.ended).stdout)).to.deep.equal([
      { refund: 'ok', ticket: 'T-1001' },
      { refund: 'ok', ticket: 'T-1003' },
      { refund: 'not without an order', ticket: 'T-1004' },
    ]);
    const written = readdirSync(join(directory, 'desk')).filter((name) => name.startsWith('refund-'));
    expect(written.toSorted()).to.deep.equal(['refund-T-1001.txt', 'refund-T-1003.txt']);
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
  });
});
