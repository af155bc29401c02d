/** The official conformance runner, asked about a server at a URL. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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

/** What the runner found in one scenario of a revision. */
export async function judged(url: string, scenario: string, revision: string): Promise<readonly Check[]> {
  const directory = makeWorkDirectory({});
  try {
    const child = spawn(
      process.execPath,
      [
        RUNNER,
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
      ],
      {
        cwd: ROOT,
        stdio: 'ignore',
        env: { ...process.env, PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) },
      },
    );
    await once(child, 'exit');
    const [file] = globSync(join(directory, '**', 'checks.json'));
    return file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    removeWorkDirectory(directory);
  }
}

/** Scenarios of servers that a revision has, but for extensions. */
export const scenariosOf = (revision: string): readonly string[] =>
  [
    ...execFileSync(process.execPath, [RUNNER, 'list', '--server', '--spec-version', revision], {
      encoding: 'utf8',
    }).matchAll(/^ *- (\S+) \[(?!extension)/gm),
  ].map(([, name = '']) => name);
