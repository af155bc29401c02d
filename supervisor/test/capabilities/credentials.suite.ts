import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { defineCustomInstallation, type CustomInstallation } from '../../api/supervisor.ts';
import { useSupervisor, work } from './runs.ts';

/** Stands in every value of these tests, and in nothing else. */
const MARK = 'planted-4711';

describe('credentials (providers.md §4, runtime.md §1 steps 11 and 14)', () => {
  const runs = useSupervisor();

  /** An installation that notes what it is given when it is opened. */
  function keeper(alias: string, credentials: readonly string[], lines: string[]): CustomInstallation {
    return work(
      () => 1,
      { name: `${alias}-work` },
      {
        alias,
        credentials,
        open: (opening) => {
          lines.push(
            `${alias}: ${[...opening.credentials].map(([name, secret]) => `${name}=${secret.reveal()}`).join(' ')}`,
          );
          lines.push(inspect(opening, { depth: 9, showHidden: true }));
          return undefined;
        },
      },
    );
  }

  const CREDENTIALS = {
    one: { env: 'ONE' },
    two: { file: 'keys/two' },
    three: { literal: `${MARK}-three` },
    idle: { env: 'IDLE' },
    inherited: { env: 'constructor' },
  };

  it('reach the installation that names them and no other, from file, environment file and process', async () => {
    const lines: string[] = [];
    const done = await runs.run({
      custom: [keeper('a', ['one'], lines), keeper('b', ['three', 'one'], lines), keeper('c', [], lines)],
      credentials: CREDENTIALS,
      environmentFile: `ONE=${MARK}-one\nIDLE=${MARK}-idle\n`,
      body: '(tool/a-work)',
      variables: { ONE: 'of the process' },
    });
    expect(done.code).to.equal(null);
    const reported = lines.filter((line) => /^[abc]: /.test(line));
    expect(reported).to.deep.equal([`a: one=${MARK}-one`, `b: one=${MARK}-one three=${MARK}-three`, 'c: ']);
    expect(lines.filter((line) => !reported.includes(line)).join('\n'), 'printing them shows nothing').to.not.include(
      MARK,
    );
  });

  it('leave no trace in envelope, trace, inspection and result, whatever becomes of the run', async () => {
    for (const body of ['(tool/a-work)', '(fail "x")']) {
      await runs.run({
        custom: [keeper('a', ['one'], [])],
        credentials: CREDENTIALS,
        environmentFile: `ONE=${MARK}`,
        body,
      });
      const folders = ['envelopes', 'traces', 'inspection', 'results'].map((folder) =>
        join(runs.root(), '.svc', folder),
      );
      const files = (
        await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))))
      ).flat();
      expect(files.length).to.be.greaterThan(1);
      for (const file of files) expect(await readFile(file, 'latin1'), file).to.not.include(MARK);
    }
  });

  const missing: readonly (readonly [string, readonly string[], string | undefined, string])[] = [
    ['a variable that nobody has', ['one'], undefined, 'credential_unavailable'],
    ['a variable that the file empties', ['one'], 'ONE=\n', 'credential_unavailable'],
    ['a variable that is none of the environment', ['inherited'], undefined, 'credential_unavailable'],
    ['a file that is not there', ['two'], undefined, 'credential_unavailable'],
    ['a name that the host document does not declare', ['four'], undefined, 'credential_unavailable'],
    ['an environment file that is broken', ['one'], 'broken', 'environment_file_invalid'],
  ];
  for (const [what, credentials, environmentFile, code] of missing) {
    it(`${what}: ${code}, and nothing is opened`, async () => {
      const lines: string[] = [];
      const done = await runs.run({
        custom: [keeper('a', [], lines), keeper('b', credentials, lines)],
        credentials: CREDENTIALS,
        body: '1',
        ...(environmentFile === undefined ? { variables: {} } : { environmentFile, variables: { ONE: MARK } }),
      });
      const subject =
        code === 'credential_unavailable'
          ? { kind: 'provider', name: 'b', operation: 'credentials', occurrence: null }
          : null;
      expect(done.envelope).to.have.property('error').that.deep.includes({ code, subject, provider_activity: false });
      expect([done.exitStatus, lines, done.envelope.execution.state]).to.deep.equal([4, [], 'not_started']);
    });
  }

  it('of an environment file that nobody needs are not read', async () => {
    const done = await runs.run({
      custom: [keeper('a', ['three'], [])],
      credentials: CREDENTIALS,
      environmentFile: 'broken',
      body: '1',
    });
    expect(done.code).to.equal(null);
  });

  it('are in the digest of the configuration by name alone', async () => {
    const digest = async (names: readonly string[], value: string): Promise<unknown> => {
      const { installationDigests } = await runs.prepare({
        custom: [keeper('tools', names, [])],
        credentials: { ...CREDENTIALS, one: { literal: value } },
        body: '1',
      });
      return installationDigests['tools'];
    };
    expect(await digest(['one'], 'a')).to.equal(await digest(['one'], 'b'));
    expect(await digest(['one'], 'a')).to.not.equal(await digest([], 'a'));
  });

  const mistakes: readonly (readonly [string, object, RegExp])[] = [
    ['a name of another form', { credentials: ['A'], open: () => undefined }, /lists at most 128 names/],
    ['a name twice', { credentials: ['a', 'a'], open: () => undefined }, /each once/],
    [
      '129 names',
      { credentials: Array.from({ length: 129 }, (_, index) => `c${index}`), open: () => undefined },
      /at most 128/,
    ],
    ['no use for them', { credentials: ['a'] }, /no open/],
  ];
  for (const [what, over, message] of mistakes) {
    it(`cannot be declared with ${what}`, () => {
      const spec = {
        alias: 'tools',
        revision: 'r1',
        destinations: ['workflow'],
        capabilities: [{ name: 'work', description: 'W.', inputSchema: true, effect: 'read', call: () => 1 }],
        ...over,
      } as const;
      expect(() => defineCustomInstallation(Object(spec))).to.throw(TypeError, message);
    });
  }
});
