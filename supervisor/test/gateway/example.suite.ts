/** The example of a gateway as its README shows it, with the official client; only its port is another one. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, start } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';
import { TOKEN, freePort } from './gateway.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('examples/gateway', () => {
  it('is pinned to what it is, is served, and answers as its README says', async () => {
    const directory = makeWorkDirectory({});
    cpSync(join(ROOT, 'examples/gateway'), directory, { recursive: true });
    const port = await freePort();
    const document = JSON.parse(readFileSync(join(directory, 'gateway.json'), 'utf8'));
    writeFileSync(
      join(directory, 'gateway.json'),
      JSON.stringify({ ...document, listen: { ...document.listen, port } }),
    );
    const environment = { GATEWAY_TOKEN: TOKEN };
    expect(await runToEnd({ argv: ['gateway', 'gateway.json', '--check'], directory, environment })).to.include({
      status: 0,
      stderr: '',
    });
    expect(await runToEnd({ argv: ['run', 'refunds.svc-project.json'], directory })).to.include({
      status: 0,
      stdout: '{"ticket_ids":["T-1001","T-1004"]}\n',
    });
    const { child, ended } = start({
      argv: ['gateway', 'gateway.json'],
      directory,
      environment,
      options: { timeout: 0 },
    });
    let isReady = false;
    child.stdout?.on('data', () => {
      isReady = true;
    });
    child.once('close', () => {
      isReady = true;
    });
    await until('the gateway is ready', () => (isReady ? true : undefined));
    mkdirSync(join(directory, 'node_modules'));
    symlinkSync(
      join(ROOT, 'node_modules/@modelcontextprotocol'),
      join(directory, 'node_modules/@modelcontextprotocol'),
    );
    const said = execFileSync(process.execPath, ['call.mjs'], {
      cwd: directory,
      env: { ...environment, GATEWAY_URL: `http://127.0.0.1:${port}/mcp` },
      encoding: 'utf8',
    });
    child.kill('SIGTERM');
    expect(await ended).to.include({ status: 0, stderr: '' });
    const shown = readFileSync(join(directory, 'README.md'), 'utf8').replaceAll('\n    ', '\n');
    expect(said.split('\n')).to.have.length(4);
    expect(shown).to.include(said.trimEnd());
    removeWorkDirectory(directory);
  });
});
