import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * A program of TypeScript as one file of JavaScript, below the folder for temporary files until this process ends.
 * Returns its path. For a program that tests start again and again without a cache of node's: making JavaScript of its
 * types is two thirds of its start.
 */
export function bundleProgram(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${basename(dirname(file))}.mjs`);
  buildSync({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
  return outfile;
}
