/** The official conformance runner, asked about a server at a URL. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';

/** By revision and scenario: the checks that a server does not pass, each with the reason. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const RUNNER = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const JUDGE = join(import.meta.dirname, 'official-judge.ts');

/** One process of the runner, which judges one scenario after the other. */
export class OfficialRunner {
  #child: ChildProcess | null = null;

  /** What the runner found in one scenario of a revision. */
  async judged(url: string, scenario: string, revision: string): Promise<readonly Check[]> {
    const directory = makeWorkDirectory({});
    try {
      await this.#run([
        'server',
        '--url',
        url,
        '--scenario',
        scenario,
        '--spec-version',
        revision,
        '--timeout',
        '120000',
        '--output-dir',
        directory,
      ]);
      const [file] = globSync(join(directory, '**', 'checks.json'));
      return file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'));
    } finally {
      removeWorkDirectory(directory);
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  /** Until a run has ended, or its process did, after which another one begins. */
  async #run(words: readonly string[]): Promise<void> {
    const child = (this.#child ??= fork(JUDGE, { cwd: ROOT, stdio: 'ignore' }));
    const ended = new AbortController();
    const ends = [once(child, 'message', ended), once(child, 'exit', ended).then(() => (this.#child = null))];
    child.send(words);
    await Promise.race(ends);
    ended.abort();
    await Promise.allSettled(ends);
  }
}

/** Scenarios of servers that a revision has, but for extensions. */
export const scenariosOf = (revision: string): readonly string[] =>
  [
    ...execFileSync(process.execPath, [RUNNER, 'list', '--server', '--spec-version', revision], {
      encoding: 'utf8',
    }).matchAll(/^ *- (\S+) \[(?!extension)/gm),
  ].map(([, name = '']) => name);
