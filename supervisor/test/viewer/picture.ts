/**
 * Makes the picture of the viewer that the README shows, from a run of an example: `node
 * supervisor/test/viewer/picture.ts`. By hand, after the page changed; needs Chromium (scripts/browser.sh).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { openBrowser, visit } from './browser/chromium.ts';
import { serve } from './viewer.ts';

const PICTURE = join(import.meta.dirname, '../../../docs/viewer.png');
const PROJECT = '02-domain-api.svc-project.json';
const WINDOW = { width: 1280, height: 800 };

const directory = makeWorkDirectory({});
try {
  const tree = join(directory, 'tickets');
  await runToEnd({ argv: ['init', tree, '--example', 'support-triage'], directory });
  const { status, stderr } = await runToEnd({
    argv: ['run', PROJECT, '--host-config', '02-domain-api/svc-host.replay.json'],
    directory: tree,
  });
  if (status !== 0) throw new Error(stderr);
  const viewer = await serve(tree, [PROJECT]);
  const browser = await openBrowser();
  try {
    const page = await browser.page(WINDOW.width, WINDOW.height);
    await visit(page, viewer.url, '');
    await page.locator('main a[href*="#/run"]').first().click();
    await page.locator('main h1').first().waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
    await viewer.stop();
  }
} finally {
  rmSync(join(directory, 'tickets'), { recursive: true, force: true });
  removeWorkDirectory(directory);
}
