import { expect } from 'chai';
import { runResident } from './resident/resident.ts';

const SECRET = 's3cret'.repeat(8);

interface Setting {
  readonly variable: string;
  readonly value: unknown;
}

describe('svc config (cli.md §10)', () => {
  const svc = async (environment: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
    runResident({ argv, directory: '/', environment });

  async function settings(environment: Readonly<Record<string, string>> = {}): Promise<readonly Setting[]> {
    const { status, stdout, stderr } = await svc(environment, 'config');
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const result: { readonly settings: readonly Setting[] } = JSON.parse(stdout);
    expect(Object.keys(result)).to.deep.equal(['settings']);
    return result.settings;
  }

  async function setting(variable: string, environment: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return (await settings(environment)).find((row) => row.variable === variable);
  }

  it('prints each setting with its documentation, default, variable, value and source', async () => {
    const rows = await settings();
    for (const row of rows)
      expect(row).to.have.all.keys('variable', 'meaning', 'accepts', 'default', 'value', 'source', 'secret', 'valid');
    expect(rows.map(({ variable }) => variable)).to.include.members([
      'SVC_ISOLATES_PER_HOST',
      'SVC_LOG_LEVEL',
      'SVC_OUTPUT',
      'SVC_VIEWER_TOKEN',
      'NO_COLOR',
    ]);
    expect(rows.find(({ variable }) => variable === 'SVC_LOG_LEVEL')).to.deep.equal({
      variable: 'SVC_LOG_LEVEL',
      meaning: 'debug also prints the stack of an unexpected fault on stderr.',
      accepts: 'one of silent, debug',
      default: 'silent',
      value: 'silent',
      source: 'default',
      secret: false,
      valid: true,
    });
  });

  it('says what the environment sets; an empty variable sets nothing', async () => {
    expect(await setting('SVC_ISOLATES_PER_HOST', { SVC_ISOLATES_PER_HOST: '8' })).to.deep.include({
      default: 32,
      value: 8,
      source: 'environment',
    });
    expect(await setting('SVC_LOG_LEVEL', { SVC_LOG_LEVEL: '' })).to.deep.include({
      value: 'silent',
      source: 'default',
    });
  });

  it('prints no secret, in whatever form', async () => {
    const environment = { SVC_VIEWER_TOKEN: SECRET, SVC_VIEWER_URL: `http://127.0.0.1:1/?token=${SECRET}` };
    for (const argv of [['config'], ['--json', 'config']]) {
      const { status, stdout, stderr } = await svc({ ...environment, FORCE_COLOR: '1' }, ...argv);
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.include('SVC_VIEWER_TOKEN').and.not.include('s3cret');
    }
    for (const variable of Object.keys(environment))
      expect(await setting(variable, environment)).to.deep.include({
        value: null,
        source: 'environment',
        secret: true,
      });
  });

  it('says which value is wrong, without that value, and what needs the setting fails', async () => {
    const environment = { SVC_ISOLATES_PER_HOST: 's3cret' };
    const row = await setting('SVC_ISOLATES_PER_HOST', environment);
    expect(row).to.deep.include({ value: null, source: 'environment', valid: false });
    expect(JSON.stringify(row)).not.to.include('s3cret');
    const { status, stderr } = await svc(environment, 'repl', '-e', '1');
    expect({ status, stderr: stderr.replace(/run_ref: \S+\)/, 'run_ref: <ref>)') }).to.deep.equal({
      status: 70,
      stderr:
        'error: repl/internal_error: an internal error occurred (run_ref: <ref>); the environment variable SVC_ISOLATES_PER_HOST must be a whole number from 1 to 256\n',
    });
  });

  it('is an object of the shape of an envelope under --json', async () => {
    const { status, stdout } = await svc({}, '--json', 'config');
    const { result, run_ref: runRef, ...object } = JSON.parse(stdout);
    expect({ status, object }).to.deep.equal({
      status: 0,
      object: { command: 'config', schema_version: 5, secondary_errors: [], status: 'ok', warnings: [] },
    });
    expect(runRef).to.match(/^cmd-[0-9A-HJKMNP-TV-Z]{26}$/i);
    expect(result.settings).to.deep.equal(await settings());
  });

  it('takes no argument and no option but --help', async () => {
    for (const argv of [
      ['config', 'x'],
      ['config', '--envelope', 'e.json'],
      ['config', '--format', 'json'],
    ])
      expect(await svc({}, ...argv), argv.join(' ')).to.deep.include({ status: 2, stdout: '' });
    const { status, stdout } = await svc({}, 'config', '--help');
    expect(status).to.equal(0);
    expect(stdout)
      .to.match(/^Usage\n {2}svc config\n/)
      .and.include('--help');
  });

  it('is completed, and is in the manual page', async () => {
    const { stdout } = await svc({}, 'completion', 'bash', '--word', 'conf');
    expect(stdout).to.match(/^none\nconfig\tPrint the settings/);
    expect((await svc({}, 'man')).stdout).to.match(/^\.SS "?config"?$/m);
  });
});
