import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { caseGroups } from './document-case.ts';
import type { DocumentCase } from './document-case.ts';
import { execute, executeAll } from './executed.ts';
import type { Executed } from './executed.ts';

/** Groups whose cases get as far as compiling. */
const COMPILING: ReadonlySet<string> = new Set(['bundle.json']);

const CASES = caseGroups().flatMap(({ file, cases }) => cases.filter(({ expected }) => COMPILING.has(file) || expected === null));

/** All that a command tells but its name. */
function said({ status, stderr, envelope, touched }: Executed): unknown {
  const { run_ref: name, ...rest } = envelope;
  return { status, stderr: stderr.replaceAll(name, '<ref>'), rest, touched };
}

/** Compiled bundles are kept between commands, and nothing that a command says may depend on them. */
describe('bundles of earlier commands', () => {
  let home = '';
  const folder = (): string => join(home, '.cache/svc/bundles');
  const environment = (): Readonly<Record<string, string>> => ({ HOME: home });
  const all = async (variables: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
    (await Promise.all(executeAll(CASES, variables))).map(said);
  let expected: readonly unknown[] = [];

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'svc-home-'));
    expected = await all({ ...environment(), SVC_BUNDLE_CACHE: 'off' });
  });
  after(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it('are not kept when that is switched off', () => {
    expect(readdirSync(home)).to.deep.equal([]);
  });

  it('change nothing: none yet, all there, each of them changed, and with a folder that is a file', async () => {
    const told = new Map([['none yet', await all(environment())]]);
    const kept = readdirSync(folder());
    expect(kept).not.to.have.length(0);
    told.set('all there', await all(environment()));
    expect(readdirSync(folder())).to.deep.equal(kept);
    for (const name of kept) {
      const path = join(folder(), name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"read"', '"writ"').replaceAll('run', 'nur'));
    }
    told.set('changed', await all(environment()));
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    told.set('a file', await all(environment()));
    for (const [about, results] of told) expect(results, about).to.deep.equal(expected);
  });

  it('serve validate and run alike, and are made anew when they were changed', async () => {
    rmSync(folder(), { recursive: true });
    const one = (command: string): DocumentCase => ({
      name: command, command, uses: [], edits: {}, files: {}, argv: [], line: null, status: 0, expected: null,
    });
    await execute(one('validate'), environment());
    const [name = ''] = readdirSync(folder());
    const path = join(folder(), name);
    const bytes = readFileSync(path, 'utf8');
    expect((await execute(one('run'), environment())).envelope['result']).to.have.property('value');
    expect(readFileSync(path, 'utf8')).to.equal(bytes);
    writeFileSync(path, bytes.slice(1));
    expect((await execute(one('run'), environment())).status).to.equal(0);
    expect(readFileSync(path, 'utf8')).to.equal(bytes);
  });
});
