/** What an operator can look at while a gateway serves (gateway.md §13). */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../conformance/cli/work-directory.ts';
import { ENVIRONMENT, TOKEN, freePort, gatewayDirectory, messagesOf, modern, startTestGateway } from './gateway.ts';

const SECRET = 'sk-planted-0815-4711';
const FILES = { tools: { echo: { program: '(ns main)\n(defn run [input] (if (= "x" (get input "value")) (fail {:reason "x"}) {:value (get input "value")}))\n' } } };
const log = (directory: string): readonly Readonly<Record<string, unknown>>[] => readFileSync(join(directory, 'gateway.log'), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));

describe('the log and the figures of a gateway', () => {
  it('tell what it did, and nothing of what was said to it', async () => {
    const port = await freePort();
    const gateway = await startTestGateway(FILES, ['--log', 'gateway.log', '--metrics', String(port)]);
    for (const value of [SECRET, SECRET, 'x']) await messagesOf(await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value } })));
    expect((await fetch(gateway.url, { ...modern('tools/list'), headers: { authorization: `Bearer ${SECRET}-of-somebody-else-altogether` } })).status).to.equal(401);
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures).to.match(/^svc_gateway_requests_total\{status="200"\} 3$/m);
    expect(figures).to.match(/^svc_gateway_requests_total\{status="401"\} 1$/m);
    expect(figures).to.match(/^svc_gateway_run_seconds_count\{tool="echo",outcome="success"\} 2$/m);
    expect(figures).to.match(/^svc_gateway_run_seconds_count\{tool="echo",outcome="execution_failed"\} 1$/m);
    expect(figures).to.match(/^svc_gateway_runs 0$/m);
    expect(figures).to.match(/^svc_gateway_resident_bytes [1-9]/m);
    for (const [path, init, status] of [['/', {}, 404], ['/metrics', { method: 'POST' }, 405], ['/mcp', modern('tools/list'), 404]] as const) expect((await fetch(`http://127.0.0.1:${port}${path}`, init)).status, path).to.equal(status);
    expect((await fetch(`http://localhost:${port}/metrics`).catch(() => null))?.status ?? 400).to.equal(400);
    let text = '';
    const end = await gateway.stop((directory) => {
      expect(statSync(join(directory, 'gateway.log')).mode & 0o777).to.equal(0o600);
      const lines = log(directory);
      expect(lines.map(({ kind }) => kind).filter((kind) => kind !== 'counters' && kind !== 'startup_stage')).to.deep.equal(['ready', 'stopped']);
      expect(lines.filter(({ kind }) => kind === 'counters').reduce((sum, line) => sum + Number(line['status_2xx'] ?? 0), 0)).to.equal(3);
      text = JSON.stringify(lines);
    });
    for (const secret of [SECRET, TOKEN, '127.0.0.1']) expect(text + figures).not.to.include(secret);
    expect(end).to.include({ status: 0, stderr: '' });
    expect(Object(JSON.parse(end.stdout))).to.include({ metrics_port: port });
  });

  it('tell why one did not start, and a log that is not its owner\'s alone is none', async () => {
    const { directory } = await gatewayDirectory(FILES);
    const document = JSON.parse(readFileSync(join(directory, 'gateway.json'), 'utf8'));
    writeFileSync(join(directory, 'wrong.json'), JSON.stringify({ ...document, tools: document.tools.map((tool: object) => ({ ...tool, expected_application_content_digest: `sha256:${'0'.repeat(64)}` })) }));
    expect(await runToEnd({ argv: ['gateway', 'wrong.json', '--log', 'gateway.log'], directory, environment: ENVIRONMENT })).to.include({ status: 78, stderr: '{"error":"application_content_digest_mismatch"}\n' });
    expect(log(directory).at(-1)).to.deep.include({ kind: 'startup_failed', tool: 'echo', code: 'application_content_digest_mismatch' });
    writeFileSync(join(directory, 'open.log'), '', { mode: 0o644 });
    const refused = await runToEnd({ argv: ['gateway', 'gateway.json', '--log', 'open.log'], directory, environment: ENVIRONMENT });
    expect([refused.status, refused.stdout]).to.deep.equal([70, '']);
    expect(refused.stderr).to.include('--log wants a file of this user alone');
    removeWorkDirectory(directory);
  });
});
