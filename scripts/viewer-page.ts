import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '../viewer');
/** Gzipped bytes of everything that the page loads. */
const MOST = 250_000;

/** Builds the page of the viewer into a folder: `index.html` and `assets/`, which load nothing from elsewhere. */
export async function buildPage(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: '/',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Nothing may stand in the page itself: its policy admits files of the viewer alone.
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2023', cssCodeSplit: false },
  });
  const names = await readdir(join(folder, 'assets'));
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(folder, 'assets', name))).length));
  const bytes = sizes.reduce((all, size) => all + size, 0);
  process.stderr.write(`build: page of the viewer: ${bytes} bytes gzipped\n`);
  if (bytes > MOST) throw new Error(`the page of the viewer has ${bytes} bytes gzipped, more than ${MOST}`);
}
