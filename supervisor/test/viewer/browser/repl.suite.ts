import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { runToEnd } from '../../../../conformance/cli/program.ts';
import { describeWhere } from '../../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../../conformance/cli/work-directory.ts';
import { HOSTILE } from '../evidence.ts';
import { serve, type ServedViewer } from '../viewer.ts';
import { CHROMIUM, barriers, openBrowser, picture, struck, visit, type Browser } from './chromium.ts';

const CLEAN = { violations: [], struck: null };

/** A project with one run that is well, one that failed. */
async function replProject(directory: string): Promise<void> {
  const write = (name: string, content: object): void => {
    writeFileSync(join(directory, name), JSON.stringify(content));
  };
  const application = {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    labels: { name: 'asked' },
  };
  writeFileSync(
    join(directory, 'main.clj'),
    '(ns main)\n(defn run [input] (if (get input "ok") 1 (fail {:kind :no})))\n',
  );
  write('good.json', { ...application, input: { value: { ok: true } } });
  write('bad.json', { ...application, input: { value: { ok: false } } });
  const project = (name: string, path: string, viewer: object, root = '.svc'): void => {
    write(name, { kind: 'svc-project', version: 1, application: { path }, artifacts: { root, trace: true }, viewer });
  };
  project('project.json', 'good.json', { repl: true });
  project('bad-project.json', 'bad.json', {});
  project('closed.json', 'good.json', {});
  project('fresh.json', 'good.json', { repl: true }, '.fresh');
  for (const [name, status] of [
    ['project.json', 0],
    ['bad-project.json', 5],
  ] as const) {
    const ended = await runToEnd({ argv: ['run', name], directory });
    if (ended.status !== status) throw new Error(ended.stderr);
  }
}

describeWhere(CHROMIUM, 'the session in the page of the viewer, in Chromium (evidence.md §11, REPL)', () => {
  let directory: string;
  let viewer: ServedViewer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = makeWorkDirectory();
    await replProject(directory);
    [viewer, browser] = await Promise.all([serve(directory, ['project.json']), openBrowser()]);
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  async function open(where: Page = page, url = viewer.url, hash = '#/repl'): Promise<void> {
    await visit(where, url, hash);
    await where.locator('.editor[data-ready]').waitFor();
  }

  /** The editor, and what stands in it. */
  const editor = (where: Page = page) => where.getByRole('textbox', { name: 'Form' });
  const text = async (): Promise<string> => (await editor().locator('.cm-line').allTextContents()).join('\n');

  /** Puts a form in place of what is there. */
  async function write(form: string, where: Page = page): Promise<void> {
    await editor(where).click();
    await where.keyboard.press('Control+a');
    await where.keyboard.press('Delete');
    // As a paste would: brackets are not closed a second time.
    await where.keyboard.insertText(form);
  }

  async function evaluated(form: string, where: Page = page): Promise<Locator> {
    const { length } = await where.getByRole('article').all();
    await write(form, where);
    await where.keyboard.press('Escape');
    await editor(where).focus();
    await where.keyboard.press('Control+Enter');
    const entry = where.getByRole('article', { name: `Form ${length + 1}`, exact: true });
    await entry.waitFor();
    return entry;
  }

  const isWell = async (entry: Locator): Promise<void> => entry.locator('.badge.good').waitFor();

  it('loads its editor on this page alone', async () => {
    const seen: string[] = [];
    const fresh = await browser.page();
    fresh.on('request', (request) => {
      seen.push(new URL(request.url()).pathname);
    });
    await visit(fresh, viewer.url, '#/');
    expect(seen.filter((path) => path.includes('editor'))).to.deep.equal([]);
    await fresh.keyboard.press('r');
    await fresh.locator('.editor[data-ready]').waitFor();
    expect(seen.filter((path) => path.includes('editor'))).to.have.length(1);
    await fresh.close();
  });

  it('evaluates a form over the runs, and keeps what it defined', async () => {
    await open();
    const first = await evaluated('(def failed (get (analysis/runs {"status" "error"}) "items"))');
    await isWell(first);
    expect(await text()).to.equal('');
    const second = await evaluated('(count failed)');
    expect(await second.getByRole('region', { name: 'Value of form 2' }).textContent()).to.equal('1');
    await page.getByText('2 of 64').waitFor();
    const third = await evaluated('(analysis/runs {"limit" 2})');
    expect(await third.getByRole('region', { name: 'Value of form 3' }).textContent()).to.match(
      /^\{"items" \[\{"complete" true/,
    );
    await picture(page, 'repl');
    expect(await struck(page)).to.deep.equal(CLEAN);
  });

  it('tells why a form failed, where, and what to do', async () => {
    const entry = await evaluated('(let [a 1]\n  (+ a absent))');
    await entry.getByText('unbound_var').waitFor();
    expect(await entry.textContent())
      .to.include('Unable to resolve symbol: absent')
      .and.include('(apropos "part")')
      .and.include('It changed nothing');
    // It stays to be mended, and the cursor goes where it failed.
    expect(await text()).to.equal('(let [a 1]\n  (+ a absent))');
    await entry.getByRole('button', { name: 'Go to line 2, column 8' }).click();
    await page.keyboard.type('x');
    expect(await text()).to.equal('(let [a 1]\n  (+ a xabsent))');
    await picture(page, 'repl-failed');
  });

  it('walks through what was evaluated by arrows, and back to what was being written', async () => {
    await write('(inc 1');
    await page.keyboard.press('Escape');
    await editor().focus();
    await page.keyboard.press('ArrowUp');
    expect(await text()).to.include('absent');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await text()).to.equal('(analysis/runs {"limit" 2})');
    for (let n = 0; n < 6; n += 1) await page.keyboard.press('ArrowDown');
    expect(await text()).to.equal('(inc 1');
  });

  it('completes names of the session, its own definitions among them', async () => {
    await write('');
    await page.keyboard.type('(analysis/co');
    await page.getByRole('option', { name: 'analysis/counters' }).waitFor();
    await picture(page, 'repl-completion');
    await page.keyboard.press('Enter');
    expect(await text()).to.equal('(analysis/counters)');
    await write('');
    await page.keyboard.type('fail');
    await page.getByRole('option', { name: 'failed' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'failed' }).waitFor({ state: 'detached' });
    // The keys of the page are letters here.
    expect(await text()).to.equal('fail');
    await page.keyboard.type('grl?');
    expect(await text()).to.equal('failgrl?');
  });

  it('interrupts a form by Escape, and goes on', async () => {
    const { length } = await page.getByRole('article').all();
    await write('(loop [] (recur))');
    await page.keyboard.press('Escape');
    await editor().focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('evaluating', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('article', { name: `Form ${length + 1}`, exact: true })
      .getByText('interrupted')
      .waitFor();
    const next = await evaluated('(count failed)');
    expect(await next.getByRole('region', { name: /^Value of form/ }).textContent()).to.equal('1');
  });

  it('leaves the editor by Escape, and by Tab: nobody is caught in it', async () => {
    await editor().focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await editor().focus();
    await page.keyboard.press('Tab');
    await page.locator('button:focus', { hasText: 'Evaluate' }).waitFor();
  });

  it('writes forms about a run, and evaluates none of them', async () => {
    const { length } = await page.getByRole('article').all();
    const examples = page.getByRole('complementary', { name: 'Examples' });
    await examples.getByRole('button', { name: 'Sums over all runs' }).click();
    expect(await text()).to.equal('(analysis/counters {})');
    await examples.getByRole('button', { name: 'Write what it is' }).click();
    await page.getByText('(analysis/open "cmd-').waitFor();
    expect(await page.getByRole('article').count()).to.equal(length);
    await editor().focus();
    await page.keyboard.press('Control+Enter');
    await isWell(page.getByRole('article', { name: `Form ${length + 1}`, exact: true }));
  });

  it('has examples that can be evaluated as they are', async () => {
    const examples = page.getByRole('complementary', { name: 'Examples' }).getByRole('list').getByRole('button');
    const { length } = await page.getByRole('article').all();
    const shown = await examples.count();
    expect(shown).to.be.greaterThan(3);
    for (let nth = 0; nth < shown; nth += 1) {
      await examples.nth(nth).click();
      await page.keyboard.press('Control+Enter');
      await isWell(page.getByRole('article', { name: `Form ${length + nth + 1}`, exact: true }));
    }
  });

  it('shows hostile texts as texts', async () => {
    const form = `(do (println ${JSON.stringify(HOSTILE)}) ${JSON.stringify(HOSTILE)})`;
    const entry = await evaluated(form);
    const shown = await entry.textContent();
    expect(shown).to.include('<img src=x').and.include('⟨U+202E⟩').and.not.include('\u202E');
    await entry.getByRole('button', { name: 'Edit again' }).click();
    // The editor shows what it has of them by marks of its own.
    expect(await editor().locator('.cm-specialChar').count()).to.be.greaterThan(0);
    const failed = await evaluated(`(fail ${JSON.stringify(HOSTILE)})`);
    expect(await failed.textContent())
      .to.include('explicit_failure')
      .and.include('⟨U+202E⟩');
    expect([await struck(page), await page.locator('img[src]').count()]).to.deep.equal([CLEAN, 0]);
  });

  it('has the same session in another page, and notices there that it was begun anew', async () => {
    const other = await browser.page();
    await open(other);
    expect(await other.getByRole('article').count()).to.be.greaterThan(0);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('Nothing was evaluated yet').waitFor();
    await page.getByText('Trace of the session before').waitFor();
    const path = await page.locator('.repl .hash').textContent();
    expect(readFileSync(path ?? '', 'utf8')).to.include('run-stopped');
    // Names to complete are asked for while a form is written, and refused without a word: the form is told.
    const names = other.waitForResponse((response) => response.url().includes('/api/repl/names'));
    await write('', other);
    await other.keyboard.type('count');
    expect((await names).status()).to.equal(412);
    await other.keyboard.press('Escape');
    await editor(other).focus();
    await other.keyboard.press('Control+Enter');
    await other.getByRole('alert').getByText('another page started a new session').waitFor();
    await other.keyboard.press('Control+Enter');
    await other.getByRole('article', { name: 'Form 1', exact: true }).waitFor();
    await other.close();
  });

  it('says what to do where there is nothing to ask', async () => {
    const [fresh, closed] = await Promise.all([serve(directory, ['fresh.json']), serve(directory, ['closed.json'])]);
    try {
      await open(page, fresh.url);
      await page.getByText('There is no run to ask about yet').waitFor();
      await write('1');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alert').waitFor();
      const ended = await runToEnd({ argv: ['run', 'fresh.json'], directory });
      expect(ended.status, ended.stderr).to.equal(0);
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByText('There is no run to ask about yet').waitFor({ state: 'detached' });
      await isWell(await evaluated('(+ 1 1)'));
      await page.goto('about:blank');
      await page.goto(`${closed.url}#/repl`);
      await page.getByRole('heading', { name: 'No session here' }).waitFor();
      expect(await page.getByRole('link', { name: 'REPL' }).count()).to.equal(0);
    } finally {
      await Promise.all([fresh.stop(), closed.stop()]);
    }
  });

  it('is held with pages on its own machine alone', async () => {
    const token = 'x'.repeat(40);
    const exposed = await serve(directory, ['project.json', '--listen', '0.0.0.0'], { SVC_VIEWER_TOKEN: token });
    try {
      const at = exposed.url.replace('0.0.0.0', '127.0.0.1');
      await page.goto(`${at.replace('127.0.0.1', 'elsewhere.localhost')}?live_token=${token}#/repl`);
      await page.getByRole('heading', { name: 'No session from elsewhere' }).waitFor();
      await page.goto(`${at}?live_token=${token}#/repl`);
      await page.locator('.editor[data-ready]').waitFor();
      await isWell(await evaluated('(+ 1 1)'));
    } finally {
      await exposed.stop();
    }
  });

  for (const theme of ['light', 'dark', 'contrast']) {
    it(`has no barrier, ${theme}`, async () => {
      await open();
      await page.getByLabel('Theme').selectOption(theme);
      await page.locator(`html[data-theme="${theme}"]`).waitFor();
      await evaluated('(map inc [1 2 3]) ; a comment');
      await evaluated('(inc :a "b")');
      expect(await barriers(page)).to.deep.equal([]);
      await write('');
      await page.keyboard.type('(re');
      await page.locator('.editor').getByRole('option').first().waitFor();
      expect(await barriers(page)).to.deep.equal([]);
      await picture(page, `repl-${theme}`);
    });
  }

  for (const width of [360, 2560]) {
    it(`fits into ${width} pixels`, async () => {
      const sized = await browser.page(width, 900);
      await open(sized);
      await evaluated('(analysis/runs {"limit" 2})', sized);
      expect(await sized.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      await picture(sized, `repl-${width}`);
      await sized.close();
    });
  }

  it('is a way on from the page of a run', async () => {
    await visit(page, viewer.url, '#/');
    const link = page.getByRole('row').nth(2).getByRole('link');
    const [, id = ''] = /run\/([^/]+)$/.exec((await link.getAttribute('href')) ?? '') ?? [];
    await link.click();
    await page.getByRole('link', { name: 'Ask in the REPL' }).click();
    await page.locator('.editor[data-ready]').waitFor();
    await page.getByRole('button', { name: 'Write its events' }).click();
    await page.getByText(`(analysis/read "${id}"`).waitFor();
  });
});
