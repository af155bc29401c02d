import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import type { Scenario } from './client.ts';

/** What the official runner says of its client in one scenario, and what the client said of itself. */
export interface Judged {
  readonly checks: readonly Check[];
  readonly said: string;
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
  readonly description?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const RUNNER = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Above the time of all scenarios together: each waits for those before it. */
const PATIENCE_MS = 1_500_000;

/** The scenarios of a revision. */
export function listScenarios(revision: string): readonly string[] {
  const listed = execFileSync(process.execPath, [RUNNER, 'list', '--client', '--spec-version', revision], {
    encoding: 'utf8',
  });
  return [...listed.matchAll(/^ *- (\S+)/gm)].map(([, name = '']) => name);
}

/**
 * Has one runner judge a client in every scenario of a revision. It begins all of them at once; the client, which is
 * called here, takes up one after the other.
 */
export async function judgeClient(
  revision: string,
  client: (name: string, scenario: Scenario) => Promise<string>,
): Promise<ReadonlyMap<string, Judged>> {
  const directory = makeWorkDirectory({});
  const socketPath = join(directory, 'client');
  let turn: Promise<unknown> = Promise.resolve();
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    createInterface(socket).once('line', (line) => {
      const { scenario, url, context = '{}' }: Readonly<Record<string, string>> = JSON.parse(line);
      turn = turn
        .then(async () => client(scenario ?? '', { url: url ?? '', context: JSON.parse(context) }))
        .catch(String)
        .then((said) => socket.end(said));
    });
  });
  try {
    await once(server.listen(socketPath), 'listening');
    const runner = spawn(
      process.execPath,
      [
        RUNNER,
        'client',
        '--suite',
        'all',
        '--spec-version',
        revision,
        // From the root of the project: the runner takes a command apart at its spaces.
        '--command',
        `node adapters/test/tools/relay.ts ${socketPath}`,
        '--timeout',
        String(PATIENCE_MS),
        '--output-dir',
        join(directory, 'out'),
      ],
      {
        cwd: ROOT,
        stdio: 'ignore',
        env: { ...process.env, PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) },
      },
    );
    await once(runner, 'exit');
    await turn;
    return new Map(listScenarios(revision).map((name) => [name, readJudged(join(directory, 'out'), name)]));
  } finally {
    for (const socket of waiting) socket.destroy();
    server.close();
    removeWorkDirectory(directory);
  }
}

/** Each scenario has a folder, whose name goes on with the time. */
function readJudged(out: string, scenario: string): Judged {
  const read = (name: string): string => readFileSync(globSync(join(out, `${scenario}-20*`, name))[0] ?? '', 'utf8');
  return { checks: JSON.parse(read('checks.json')), said: `${read('stdout.txt')}${read('stderr.txt')}` };
}
