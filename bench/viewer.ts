/**
 * The page of the viewer over a large project, in Chromium: how long after its data a run is painted, and the longest
 * task of the page's own thread while it is scrolled, from the browser's trace.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { BROWSER, openBrowser } from '../supervisor/test/viewer/browser/chromium.ts';
import { serve } from '../supervisor/test/viewer/viewer.ts';
import { median, type Figure } from './figure.ts';
import { RUNS, RUN_TURNS, largeProject } from './viewer-evidence.ts';

/** evidence.md §12 and the figures that the page promises. */
const PAINT_MS = 300;
const TASK_MS = 100;
const ROUNDS = 5;
const STEPS = 60;

interface TraceRow {
  readonly name: string;
  readonly ph: string;
  readonly dur?: number;
  readonly tid: number;
  readonly pid: number;
  readonly args?: { readonly name?: string };
}

/** Tells when the page of a run was first painted, by its own clock. */
const WATCH = `globalThis.painted = new Promise((tell) => new MutationObserver((_, observer) => {
  if (document.querySelector('.run-head h1, table.runs') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { tell(performance.now()); }; port2.postMessage(0); });
}).observe(document, { childList: true, subtree: true }))`;

/** Milliseconds from the last byte of the data to the first paint that shows them. */
async function paintMs(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(url);
  return page.evaluate(
    "globalThis.painted.then((at) => at - Math.max(...performance.getEntriesByType('resource').filter(({ name, responseEnd }) => name.includes('/api/') && responseEnd <= at).map(({ responseEnd }) => responseEnd)))",
  );
}

/** Milliseconds of the longest task of the page's thread while something was done. */
async function longestTask(cdp: CDPSession, work: () => Promise<void>): Promise<number> {
  const rows: TraceRow[] = [];
  const collect = ({ value }: { readonly value: readonly unknown[] }): void => {
    rows.push(...value.map((row): TraceRow => Object(row)));
  };
  cdp.on('Tracing.dataCollected', collect);
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'], recordMode: 'recordUntilFull' },
  });
  await work();
  const complete = new Promise<void>((resolve) => {
    cdp.once('Tracing.tracingComplete', () => {
      resolve();
    });
  });
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', collect);
  const pages = new Set(
    rows
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = rows.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && /^(?:RunTask|ThreadControllerImpl::RunTask)$/.test(name) && pages.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error('the trace holds no task of the page');
  return Math.max(...tasks.map(({ dur = 0 }) => dur / 1000));
}

/** All runs of the list, which comes by the hundred; elsewhere everything is there. */
async function everything(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Load more' });
  for (let rows = await page.getByRole('row').count(); await more.isVisible(); rows += 100) {
    await more.click();
    await page.getByRole('row').nth(Math.min(rows, RUNS)).waitFor();
  }
}

/** Down and up again, as a wheel does it: one step for each frame that the page makes. */
async function scroll(page: Page, box: string): Promise<void> {
  const place = await page.locator(box).first().boundingBox();
  if (place === null) throw new Error(`${box} is not shown`);
  await page.mouse.move(place.x + place.width / 2, place.y + Math.min(place.height, 200) / 2);
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.wheel(0, step < STEPS / 2 ? 2000 : -2000);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  }
}

export async function viewerFigures(): Promise<Figure[]> {
  if (!existsSync(BROWSER)) {
    process.stdout.write(`     left out: ${BROWSER} is not there (Debian package chromium)\n`);
    return [];
  }
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-viewer-'));
  const browser = await openBrowser();
  try {
    const run = await largeProject(directory);
    const viewer = await serve(directory, ['project.json']);
    try {
      await browser.context.addInitScript(WATCH);
      const page = await browser.page();
      const cdp = await browser.context.newCDPSession(page);
      const places = [
        ['runs', '#/', '.scroll'],
        ['waterfall', `#/run/${run}`, '.rows'],
        ['turns', `#/run/${run}/turns`, 'main'],
        ['events', `#/run/${run}/events`, '.rows'],
      ] as const;
      const figures: Figure[] = [];
      for (const [name, hash, box] of places) {
        const paints: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) paints.push(await paintMs(page, `${viewer.url}${hash}`));
        figures.push({
          name: `${name}: first paint after the data`,
          value: median(paints),
          unit: 'ms',
          bound: { kind: 'most', value: PAINT_MS },
          detail: `${RUNS} runs, a run of ${RUN_TURNS} turns; longest of ${ROUNDS} ${Math.max(...paints).toFixed(0)} ms`,
        });
        await everything(page);
        const tasks: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1)
          tasks.push(await longestTask(cdp, async () => scroll(page, box)));
        figures.push({
          name: `${name}: longest task while scrolling`,
          value: median(tasks),
          unit: 'ms',
          bound: { kind: 'most', value: TASK_MS },
          detail: `longest of ${ROUNDS} rounds ${Math.max(...tasks).toFixed(0)} ms`,
        });
      }
      return figures;
    } finally {
      await viewer.stop();
    }
  } finally {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  }
}
