/** The documentation as pages for a browser: `svc docs --serve` and `make docs-site` (first-day.md §5). */
import { readFileSync, readdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { runToEnd, start, type Started } from '../../../conformance/cli/program.ts';
import { describeWhere } from '../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import {
  CHROMIUM,
  barriers,
  openBrowser,
  struck,
  type Browser,
} from '../../../supervisor/test/viewer/browser/chromium.ts';
import { CATALOGUE } from '../../documentation/catalogue.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SITE = join(ROOT, 'dist/site');
const names = readdirSync(SITE);
const pages = new Map(
  names.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(SITE, name), 'utf8')]),
);
const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));

/** The first line that a program writes, or all that it wrote when it ended before. */
async function firstLine({ child }: Started): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part: string) => {
      text += part;
      const [line = '', ...more] = text.split('\n');
      if (more.length > 0) resolve(line);
    });
    child.once('close', () => {
      reject(new Error('it ended before it was ready'));
    });
  });
}

describe('the site of the documentation', () => {
  it('has every page of the catalogue, and each leads to all others', () => {
    expect([...pages.keys()].toSorted()).to.deep.equal(
      [...CATALOGUE.map(({ name }) => `${name}.html`), 'index.html'].toSorted(),
    );
    for (const [name, html] of pages)
      for (const page of CATALOGUE) expect(html, name).to.include(`href="${page.name}.html"`);
  });

  it('has no dead link, to a page, a heading or a file', () => {
    const ids = new Map([...pages].map(([name, html]) => [name, idsOf(html)]));
    const dead: string[] = [];
    let seen = 0;
    for (const [name, html] of pages)
      for (const [, link = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(link)) continue;
        seen += 1;
        const [file = '', anchor = null] = link.split('#');
        const target = file === '' ? name : file;
        if (!names.includes(target) || (anchor !== null && ids.get(target)?.has(decodeURIComponent(anchor)) !== true))
          dead.push(`${name}: ${link}`);
      }
    expect(dead).to.deep.equal([]);
    expect(seen).to.be.greaterThan(5000);
  });

  it('holds every page that README mentions, and every example that has one', () => {
    const files = new Set(CATALOGUE.map(({ file }) => file));
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const mentioned = [...readme.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, file = '']) => file);
    expect(mentioned.length).to.be.greaterThan(20);
    expect(mentioned.filter((file) => !files.has(file))).to.deep.equal([]);
    const below = (folder: string, suffix: string): readonly string[] =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(suffix) && !name.includes('.svc'))
        .map((name) => `${folder}/${name}`);
    const written = [
      ...below('docs', '.md').filter((file) => !file.startsWith('docs/spec/')),
      ...below('examples', 'README.md').filter((file) => file.split('/').length === 3),
    ];
    expect(written.filter((file) => !files.has(file))).to.deep.equal([]);
  });

  it('loads nothing from elsewhere, and has neither scripts nor styles in its pages', () => {
    for (const [name, html] of pages) {
      expect(html, name).to.include("content=\"default-src 'none'; script-src 'self'");
      expect(html, name).not.to.match(/<script(?! src="site\.js" defer><)|<style| style=| on[a-z]+="/);
      expect(html, name).not.to.match(/(?:src|href)="(?:https?:)?\/\/[^"]*\.(?:js|css|png)"/);
    }
  });
});

describe('svc docs --serve', () => {
  let work: string;
  let served: Started;
  let url: string;
  before(async () => {
    work = makeWorkDirectory({});
    served = start({ argv: ['docs', '--serve'], directory: work });
    url = await firstLine(served);
  });
  after(async () => {
    served?.child.kill('SIGINT');
    await served?.ended;
    removeWorkDirectory(work);
  });

  const fetchPage = async (path: string, host?: string, method = 'GET'): Promise<readonly [number, string, string]> =>
    new Promise((resolve, reject) => {
      const request = get(new URL(path, url), { method, headers: host === undefined ? {} : { host } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          resolve([
            response.statusCode ?? 0,
            String(response.headers['content-security-policy']),
            Buffer.concat(parts).toString(),
          ]);
        });
      });
      request.on('error', reject);
    });

  it('answers on loopback with the pages, under a strict policy', async () => {
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const [status, policy, body] = await fetchPage('limits.html');
    expect([status, body]).to.deep.equal([200, pages.get('limits.html')]);
    expect(policy).to.match(/^default-src 'none'; script-src 'self'.*frame-ancestors 'none'$/);
    expect(await fetchPage('')).to.include(pages.get('index.html'));
    expect((await fetchPage('limits'))[0]).to.equal(200);
    for (const path of ['nothing', '../build.json', '%2e%2e/build.json', '/..%2fbuild.json', '__proto__'])
      expect((await fetchPage(path))[0], path).to.equal(404);
    expect((await fetchPage('limits.html', 'evil.example'))[0]).to.equal(400);
    expect((await fetchPage('limits.html', undefined, 'POST'))[0]).to.equal(405);
  });

  it('says that a port is taken, and ends at Ctrl-C with 0', async () => {
    const { port } = new URL(url);
    const second = await runToEnd({ argv: ['docs', '--serve', '--port', port], directory: work });
    expect([second.status, second.stdout]).to.deep.equal([1, '']);
    expect(second.stderr).to.match(/^error: docs\/port_in_use: the port is taken; choose another one with --port/);
    const other = start({ argv: ['docs', '--serve'], directory: work });
    await firstLine(other);
    other.child.kill('SIGINT');
    expect((await other.ended).status).to.equal(0);
  });

  for (const argv of [
    ['--serve', 'limits'],
    ['--serve', '--search', 'x'],
    ['--port', '1'],
  ])
    it(`refuses ${argv.join(' ')}`, async () => {
      expect(await runToEnd({ argv: ['docs', ...argv], directory: work })).to.include({ status: 2, stdout: '' });
    });
});

describeWhere(CHROMIUM, 'the site of the documentation in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const address = (name: string): string => pathToFileURL(join(SITE, name)).href;
  before(async () => {
    browser = await openBrowser();
    page = await browser.page();
  });
  after(async () => {
    await browser?.close();
  });

  /** Opens a page anew, from the file system. */
  async function visit(name: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(address(name));
    await page.locator('main h1').waitFor();
  }

  for (const colours of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1280, 850],
      [820, 1180],
      [390, 844],
      [360, 740],
    ] as const)
      it(`keeps nobody out, ${colours}, ${width} wide`, async () => {
        await page.emulateMedia({ colorScheme: colours });
        await page.setViewportSize({ width, height });
        for (const name of ['index.html', 'cli.html', 'host.html', 'building-agents.html', 'schema-project.html']) {
          await visit(name);
          // axe itself asks for the style, which the policy refuses.
          expect(await struck(page), name).to.deep.equal({ violations: [], struck: null });
          expect(await barriers(page), name).to.deep.equal([]);
          expect(
            await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
            `${name} is wider than the screen`,
          ).to.equal(0);
        }
      });

  it('copies what is typed, without prompts and output, and other blocks whole', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 1280, height: 850 });
    await visit('quickstart.html');
    const blocks = page.locator('.block');
    expect(await blocks.count()).to.be.greaterThan(5);
    expect(await page.locator('.block > button.copy').count()).to.equal(await page.locator('pre').count());
    const copied = async (text: string): Promise<unknown> => {
      const button = blocks.filter({ hasText: text }).first().getByRole('button');
      await button.click();
      await page.locator('[role=status]', { hasText: /^Copied$/ }).waitFor();
      expect(await button.textContent()).to.equal('Copied');
      return page.evaluate('navigator.clipboard.readText()');
    };
    expect(await copied('svc init hello')).to.equal(
      'svc init hello\ncd hello\nsvc validate svc-project.json > digests.json && echo fine\nsvc run svc-project.json',
    );
    await visit('manifest.html');
    const whole = await page.locator('pre').first().textContent();
    expect(await copied('{')).to.equal(whole?.trimEnd());
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
  });

  it('copies where the page has no clipboard of its own', async () => {
    await visit('quickstart.html');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })");
    await page.locator('.block', { hasText: 'cat main.clj' }).first().getByRole('button').click();
    await page.locator('[role=status]', { hasText: /^Copied$/ }).waitFor();
    await visit('quickstart.html');
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/^cat main\.clj(?:\n|$)/);
  });

  it('is whole without scripts, and then has no buttons', async () => {
    const scripts = await browser.context.newCDPSession(page);
    await scripts.send('Emulation.setScriptExecutionDisabled', { value: true });
    await visit('quickstart.html');
    expect(await page.locator('button').count()).to.equal(0);
    expect(await page.locator('.output').first().isVisible()).to.equal(true);
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Quickstart' }).isVisible()).to.equal(true);
    await scripts.send('Emulation.setScriptExecutionDisabled', { value: false });
    await scripts.detach();
  });

  it('searches without a network, in any order of the words, and leads to the place', async () => {
    await page.setViewportSize({ width: 1280, height: 850 });
    await visit('index.html');
    await page.keyboard.press('/');
    await page.keyboard.type('config --host');
    await page.locator('#found a').first().waitFor();
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
    expect(await barriers(page)).to.deep.equal([]);
    await page.locator('#search').fill('workflow improve itself');
    await page.locator('#found a', { hasText: 'Let a workflow improve itself' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/self-improvement\.html/);
    await page.keyboard.press('/');
    await page.keyboard.type('<img src=x onerror=alert(1)>');
    await page.locator('#found', { hasText: 'Nothing found' }).waitFor();
    expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
  });

  it('leads from page to page by its navigation and by links', async () => {
    await visit('testing.html');
    await page.getByRole('main').getByRole('link', { name: 'Evaluate a model' }).first().click();
    await page.waitForURL(/evaluating\.html/);
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByText('Documents', { exact: true }).click();
    await navigation.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.waitForURL(/limits\.html/);
    expect(await page.locator('nav [aria-current]').textContent()).to.equal('Limits');
  });

  for (const [colours, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const)
    it(`leads by keys to a part of a long page, ${colours}, ${width} wide`, async () => {
      await page.emulateMedia({ colorScheme: colours });
      await page.setViewportSize({ width, height: 740 });
      await visit('cli.html');
      const parts = page.getByRole('navigation', { name: 'On this page' });
      const link = parts.getByRole('link').nth(2);
      expect(await link.isVisible()).to.equal(false);
      await parts.getByText('On this page', { exact: true }).focus();
      await page.keyboard.press('Enter');
      expect(await link.isVisible()).to.equal(true);
      // axe itself asks for the style, which the policy refuses.
      expect(await struck(page)).to.deep.equal({ violations: [], struck: null });
      expect(await barriers(page)).to.deep.equal([]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).to.equal(0);
      const target = String(await link.getAttribute('href'));
      for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.hash === target);
      expect(await page.locator(`[id="${decodeURIComponent(target.slice(1))}"]`).isVisible()).to.equal(true);
    });

  it('folds the list of pages on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await visit('limits.html');
    const list = page.getByRole('navigation').getByRole('link', { name: 'Quickstart' });
    expect(await list.isVisible()).to.equal(false);
    await page.getByText('Pages', { exact: true }).click();
    expect(await list.isVisible()).to.equal(true);
  });
});
