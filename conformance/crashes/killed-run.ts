import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { RunToKill } from './run-to-kill.ts';

/** Where the build of this project puts the program. */
const DIST = join(import.meta.dirname, '../../dist');

/** The program that ends itself, bundled into a folder of its own. */
export interface KilledRuns {
  /** Runs the project of a directory; `stdout` is what is printed by one that lived on. */
  run(directory: string, asked: Omit<RunToKill, 'program'>): Promise<{ readonly signal: NodeJS.Signals | null; readonly stdout: string }>;
  remove(): void;
}

export async function buildKilledRuns(): Promise<KilledRuns> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kills-'));
  const program = join(folder, 'run-to-kill.mjs');
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'run-to-kill.ts')], outfile: program,
    bundle: true, platform: 'node', format: 'esm', external: ['node:*'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return {
    run: async (directory, asked) => {
      const child = spawn(process.execPath, [program, JSON.stringify({ ...asked, program: DIST })], {
        cwd: directory, stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000, killSignal: 'SIGABRT',
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => { stdout += text; });
      return new Promise((resolve) => child.once('close', (_, signal) => { resolve({ signal, stdout }); }));
    },
    remove: () => { rmSync(folder, { recursive: true, force: true }); },
  };
}
