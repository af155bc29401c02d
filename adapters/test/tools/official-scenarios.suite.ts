import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import exceptions from './exceptions.json' with { type: 'json' };
import { PLANS } from './plans.ts';

/** Scenarios, and the checks of them that the client does not pass, each with the reason. */
type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
  readonly description?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const RUNNER = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const REVISION = ['--spec-version', '2026-07-28'];
/** From the root of the project: the runner takes a command apart at its spaces. */
const CLIENT = 'node adapters/test/tools/client.ts';
const EXCEPTIONS: Exceptions = exceptions;

/** What the runner says of the client in one scenario, and what the client said of itself. */
async function judged(scenario: string): Promise<{ readonly checks: readonly Check[]; readonly said: string }> {
  const directory = makeWorkDirectory({});
  try {
    const child = spawn(
      process.execPath,
      [
        RUNNER,
        'client',
        '--command',
        CLIENT,
        '--scenario',
        scenario,
        ...REVISION,
        '--timeout',
        '250000',
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
    const file = (name: string): string => readFileSync(globSync(join(directory, '**', name))[0] ?? '', 'utf8');
    return { checks: JSON.parse(file('checks.json')), said: `${file('stdout.txt')}${file('stderr.txt')}` };
  } finally {
    removeWorkDirectory(directory);
  }
}

describe('the official scenarios of clients at 2026-07-28', () => {
  it('are those that there are plans for', () => {
    const listed = execFileSync(process.execPath, [RUNNER, 'list', '--client', ...REVISION], { encoding: 'utf8' });
    expect([...listed.matchAll(/^ *- (\S+)/gm)].map(([, name]) => name)).to.have.members(Object.keys(PLANS));
    expect(Object.keys(PLANS)).to.include.members(Object.keys(EXCEPTIONS));
  });

  for (const [scenario, plans] of Object.entries(PLANS)) {
    const excepted = EXCEPTIONS[scenario] ?? {};
    it(`${scenario}${Object.keys(excepted).length === 0 ? '' : `, but for ${Object.keys(excepted).join(', ')}`}`, async () => {
      const { checks, said } = await judged(scenario);
      expect(said).to.equal(`${plans.map(({ ends }) => ends).join('\n')}\n`);
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      // An exception that no longer is one is struck off.
      expect([...new Set(failed.map(({ id }) => id))], JSON.stringify(failed)).to.have.members(Object.keys(excepted));
      expect(checks.filter(({ status }) => status === 'SUCCESS')).not.to.deep.equal([]);
    });
  }
});
