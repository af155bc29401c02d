import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '../viewer');
/** Gzipped bytes of everything that the page loads, but for the editor, which only the page of a session does. */
const MOST = 250_000;

/**
 * Builds the page of the viewer into a folder: `index.html` and `assets/`, which load nothing from elsewhere. The files
 * that it is made of are handed to `note`.
 */
export async function buildPage(folder: string, note: (files: readonly string[]) => void): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: '/',
    plugins: [
      {
        name: 'note-modules',
        generateBundle: (_options, chunks) => {
          for (const chunk of Object.values(chunks)) if (chunk.type === 'chunk') note(Object.keys(chunk.modules));
        },
      },
    ],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Nothing may stand in the page itself: its policy admits files of the viewer alone.
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
      cssCodeSplit: false,
    },
  });
  const sizes = await assetSizes(join(folder, 'assets'));
  const isEditor = (name: string): boolean => name.startsWith('editor-');
  const [page, editor] = [sumOf(sizes, (name) => !isEditor(name)), sumOf(sizes, isEditor)];
  process.stderr.write(`build: page of the viewer: ${page} bytes gzipped, its editor ${editor}\n`);
  if (page > MOST) throw new Error(`the page of the viewer has ${page} bytes gzipped, more than ${MOST}`);
  if (editor === 0) throw new Error('the editor is no file of its own');
}

async function assetSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, number]> => [name, gzipSync(await readFile(join(folder, name))).length]),
    ),
  );
}

function sumOf(sizes: ReadonlyMap<string, number>, isCounted: (name: string) => boolean): number {
  return [...sizes].reduce((all, [name, size]) => all + (isCounted(name) ? size : 0), 0);
}
