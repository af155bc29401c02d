import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runResident } from '../cli/resident/resident.ts';
import { caseGroups, type DocumentCase } from './document-case.ts';
import { execute, executeAll, type Executed } from './executed.ts';

/** Groups whose cases get as far as compiling. */
const COMPILING: ReadonlySet<string> = new Set(['bundle.json']);

const CASES = caseGroups().flatMap(({ file, cases }) =>
  cases.filter(({ expected }) => COMPILING.has(file) || expected === null),
);

/** All that a command tells but its name. */
function said({ status, stderr, envelope, touched }: Executed): unknown {
  const { run_ref: name, ...rest } = envelope;
  return { status, stderr: stderr.replaceAll(name, '<ref>'), rest, touched };
}

/** Compiled bundles are kept between commands, and nothing that a command says may depend on them. */
describe('bundles of earlier commands', function () {
  // Each of its tests runs every case.
  this.timeout(1_200_000);
  let home = '';
  const folder = (): string => join(home, '.cache/svc/bundles');
  const environment = (): Readonly<Record<string, string>> => ({ HOME: home });
  const all = async (variables: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
    (await Promise.all(executeAll(CASES, variables, runResident))).map(said);
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

  /** What is done to the folder before all cases are run, each going on from the one before. */
  const states: readonly (readonly [string, () => void])[] = [
    ['none was kept yet', () => undefined],
    ['all are there', () => undefined],
    [
      'each was changed',
      () => {
        for (const name of readdirSync(folder())) {
          const path = join(folder(), name);
          writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"read"', '"writ"').replaceAll('run', 'nur'));
        }
      },
    ],
    [
      'their folder is a file',
      () => {
        rmSync(folder(), { recursive: true });
        writeFileSync(folder(), '');
      },
    ],
  ];
  for (const [title, prepare] of states) {
    it(`change nothing when ${title}`, async () => {
      prepare();
      const found = await all(environment());
      for (const [at, { name }] of CASES.entries()) expect(found[at], name).to.deep.equal(expected[at]);
    });
  }

  it('serve validate and run alike, and are made anew when they were changed', async () => {
    rmSync(folder(), { recursive: true });
    const one = (command: string): DocumentCase => ({
      name: command,
      command,
      uses: [],
      edits: {},
      files: {},
      argv: [],
      line: null,
      status: 0,
      expected: null,
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
