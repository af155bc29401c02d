import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { RunToKill } from './run-to-kill.ts';

/** Where the build of this project puts the program. */
export const DIST = join(import.meta.dirname, '../../../dist');

/** The program that ends itself, bundled into a folder of its own. */
interface KilledRuns {
  /** Runs the project of a directory; `stdout` is what is printed by one that lived on. */
  run(
    directory: string,
    requested: Omit<RunToKill, 'program'>,
  ): Promise<{ readonly signal: NodeJS.Signals | null; readonly stdout: string }>;
}

/** Builds the program before the tests of a block and removes it after them, also where its building failed. */
export function useKilledRuns(): KilledRuns {
  let folder: string | null = null;
  const programOf = (place: string): string => join(place, 'run-to-kill.mjs');
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-kills-'));
    await esbuild.build({
      entryPoints: [join(import.meta.dirname, 'run-to-kill.ts')],
      outfile: programOf(folder),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['node:*'],
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
  });
  after(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  return {
    run: async (directory, requested) => {
      if (folder === null) throw new Error('the program is there while the tests of a block run');
      const child = spawn(process.execPath, [programOf(folder), JSON.stringify({ ...requested, program: DIST })], {
        cwd: directory,
        // Filled by the first run that lives on.
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 200_000,
        killSignal: 'SIGABRT',
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      return new Promise((resolve) =>
        child.once('close', (_, signal) => {
          resolve({ signal, stdout });
        }),
      );
    },
  };
}
