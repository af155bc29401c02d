import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import type { Need } from '../../../../conformance/left-out.ts';

/** Where the Debian package puts it; another one where that is named. */
export const BROWSER = process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium';
export const CHROMIUM: Need = { isMet: existsSync(BROWSER), what: 'Chromium (Debian package chromium)' };
/** Long enough for a machine that does ten other things. */
const PATIENCE_MS = 120_000;
/** What was seen, for people; ignored by git. */
const PICTURES = join(import.meta.dirname, '../../../../screenshots');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A browser that knows nothing, for all tests of a suite. */
export interface Browser {
  readonly context: BrowserContext;
  /** A page that remembers what its policy refused and which scripts were struck. */
  page(width?: number, height?: number): Promise<Page>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-browser-'));
  mkdirSync(PICTURES, { recursive: true });
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: BROWSER,
    headless: true,
    args: FLAGS,
    acceptDownloads: true,
    timeout: PATIENCE_MS,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(
    "globalThis.violations = []; document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(event.violatedDirective + ' ' + event.blockedURI));",
  );
  return {
    context,
    page: async (width = 1280, height = 850) => {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      return page;
    },
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Goes to a place of the viewer anew, and waits until it shows what it has. */
export async function visit(page: Page, url: string, hash: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}${hash}`);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
}

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(PICTURES, `${name}.png`), timeout: PATIENCE_MS });
}

/** What the policy refused, and whether a script of the evidence ran. */
export async function struck(page: Page): Promise<unknown> {
  return page.evaluate('({ violations: globalThis.violations, struck: globalThis.struck ?? null })');
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Serious and critical findings of axe-core on what is shown. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const findings: readonly Finding[] = await page.evaluate(
    "globalThis.axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(' | ')}`,
    );
}
