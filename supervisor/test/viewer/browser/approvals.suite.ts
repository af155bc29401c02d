/** The page on which a person decides, in a real browser (approvals.md §8, line 55). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { askingFiles } from '../../../../conformance/asking-application.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { HOSTILE_WRITES, projectWith, startWaiting, writtenFiles, type WaitingRun } from '../asking-project.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, barriers, openBrowser, picture, struck, visit, type Browser } from './chromium.ts';

const CLEAN = { violations: [], struck: null };

describeWhere(CHROMIUM, 'the page of approvals in Chromium (approvals.md §8)', () => {
  let work: string;
  let directory: string;
  let open: ServedViewer;
  let closed: ServedViewer;
  let browser: Browser;
  let page: Page;
  let run: WaitingRun;
  before(async () => {
    work = makeWorkDirectory(askingFiles(HOSTILE_WRITES));
    directory = join(work, 'app');
    const [deciding, plain] = [
      projectWith(directory, 'open.json', { private: true, approvals: true }),
      projectWith(directory, 'closed.json', {}),
    ];
    [open, closed, browser] = await Promise.all([
      serve(directory, [deciding]),
      serve(directory, [plain]),
      openBrowser(),
    ]);
    page = await browser.page();
    run = startWaiting(directory, deciding, { SVC_VIEWER_URL: new URL(open.url).origin });
    await run.asked(1);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([open?.stop(), closed?.stop(), run?.stop()]);
    removeWorkDirectory(work);
  });

  const question = () => page.getByRole('article', { name: 'Question about fs.write' });

  it('is one key away, and shows the call as text', async () => {
    await visit(page, open.url, '#/');
    await page.keyboard.press('a');
    await question().waitFor();
    const text = (await question().textContent()) ?? '';
    expect(text).to.include('"path":"f1.txt"').and.include('<img src=x').and.include('⟨U+202E⟩');
    expect(text).to.include('line 2: (tool/fs.write {:path');
    expect(text).to.match(/answer within \d+ min/);
    // What the program says of itself is text: it makes no question and no button.
    expect(text).to.include('<article aria-label=');
    expect(await question().count()).to.equal(1);
    expect(await page.getByRole('button', { name: 'Allow' }).count()).to.equal(1);
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('is named on the card of the run that waits', async () => {
    await visit(page, open.url, '#/live');
    await page.getByText('1 call waits for a person.').waitFor();
    await page.getByRole('link', { name: 'Decide' }).click();
    await question().waitFor();
  });

  it('has no button, and nothing of the call, where the viewer is not private', async () => {
    await visit(page, closed.url, '#/approvals');
    await question().waitFor();
    expect(await question().getByRole('button').count()).to.equal(0);
    expect(await question().textContent()).to.not.include('f1.txt');
    await page.getByText('Nothing is decided here').waitFor();
  });

  for (const theme of ['light', 'dark', 'contrast'])
    for (const width of [1280, 390])
      it(`can be read by everybody, ${theme}, ${width} wide`, async () => {
        const other = await browser.page(width, 800);
        await other.emulateMedia({
          colorScheme: theme === 'dark' ? 'dark' : 'light',
          contrast: theme === 'contrast' ? 'more' : 'no-preference',
        });
        await visit(other, open.url, '#/approvals');
        const card = other.getByRole('article', { name: 'Question about fs.write' });
        await card.waitFor();
        const box = await card.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).to.be.at.most(width);
        expect(await barriers(other)).to.deep.equal([]);
        await picture(other, `approvals-${theme}-${width}`);
        await other.close();
      });

  it('decides nothing by Enter, nor by the focus that it begins with', async () => {
    await visit(page, open.url, '#/approvals');
    await question().waitFor();
    await page.keyboard.press('Enter');
    const allow = question().getByRole('button', { name: 'Allow' });
    expect(await question().locator(':focus').count()).to.equal(0);
    await allow.focus();
    await page.keyboard.press('Enter');
    await question().getByLabel('Reason, which the program reads').fill('no');
    await page.keyboard.press('Enter');
    await visit(page, open.url, '#/approvals');
    await question().waitFor();
    expect(writtenFiles(directory)).to.deep.equal([]);
  });

  it('allows by a click, denies with a reason, and says what it did', async () => {
    await visit(page, open.url, '#/approvals');
    await question().getByText('"path":"f1.txt"').waitFor();
    await question().getByRole('button', { name: 'Allow' }).click();
    await page.getByText('fs.write was allowed.').waitFor();
    await run.asked(2);
    await question().getByText('"path":"f2.txt"').waitFor();
    await question().getByLabel('Reason, which the program reads').fill('not this one');
    await question().getByRole('button', { name: 'Deny' }).click();
    await page.getByText('fs.write was denied.').waitFor();
    await page.getByText('Nothing waits for a yes').waitFor();
    expect(JSON.parse((await run.ended).stdout)).to.deep.equal(['ok', 'not this one']);
    expect(writtenFiles(directory)).to.deep.equal(['f1.txt']);
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('shows in the run that is over how long each answer took, who gave it, and nothing of a reason', async () => {
    const [trace = ''] = readdirSync(join(directory, '.svc/traces'));
    const over = await serve(directory, ['open.json']);
    try {
      await visit(page, over.url, `#/run/${trace.split('.')[0]}`);
      await page.getByText('waits for a person').waitFor();
      const bars = page.getByRole('link', { name: 'yes for fs.write' });
      await bars.last().click();
      const details = page.getByRole('complementary', { name: 'Chosen part' });
      await details.getByText('Decided by').waitFor();
      expect(await details.textContent())
        .to.include('denied')
        .and.include('viewer')
        .and.not.include('not this one');
      expect([await bars.count(), await page.locator('.bar-box.b-wait').count()]).to.deep.equal([2, 2]);
      expect(await barriers(page)).to.deep.equal([]);
      await picture(page, 'approvals-waterfall');
      expect(await struck(page)).to.deep.equal(CLEAN);
    } finally {
      await over.stop();
    }
  });
});
