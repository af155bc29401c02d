/**
 * The official Python client of the current revision, where SVC_PYTHON names an interpreter that has it
 * (scripts/python-client.sh).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { describeWhere, type Need } from '../../../conformance/left-out.ts';
import { until } from '../../../conformance/until.ts';
import { TOKEN, freePort, startTestGateway, type TestGateway } from './gateway.ts';

const PYTHON = process.env['SVC_PYTHON'] ?? '';
const NAME = {
  type: 'object',
  properties: { value: { type: 'string', maxLength: 40, 'x-mcp-header': 'Value' } },
  required: ['value'],
  additionalProperties: false,
};
const TOOLS = {
  greet: { program: '(ns main)\n(defn run [input] {:value (str "hello " (get input "value"))})\n', input: NAME },
  wrong: { program: '(ns main)\n(defn run [_] (fail "no"))\n' },
  endless: { program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n' },
};

const CLIENT: Need = {
  isMet: PYTHON !== '',
  isOptional: true,
  what: 'the official Python client (SVC_PYTHON names an interpreter that has it)',
};

for (const mode of ['auto', '2026-07-28']) {
  describeWhere(CLIENT, `the official Python client, ${mode} (gateway.md §4 to §6)`, () => {
    let gateway: TestGateway;
    let metrics = 0;
    const children: ChildProcess[] = [];
    afterEach(() => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    });
    before(async () => {
      metrics = await freePort();
      gateway = await startTestGateway({ tools: TOOLS }, ['--metrics', String(metrics)]);
    });

    it('lists, calls, is told of failures, and ends a run by leaving it', async () => {
      const figures = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      const child = spawn(PYTHON, [join(import.meta.dirname, 'python-client.py'), gateway.url.href, TOKEN, mode], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      children.push(child);
      const failed = text(child.stderr);
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
      await until('its endless run', async () => {
        const found = await figures();
        const isEndless =
          /^svc_gateway_run_seconds_count\{tool="wrong"/m.test(found) && /^svc_gateway_runs 1$/m.test(found);
        return isEndless || child.exitCode !== null ? true : undefined;
      });
      if (child.exitCode !== null) throw new Error(await failed);
      child.stdin.write('leave\n');
      await until('what it was told', () => (said.includes('\n') || child.exitCode !== null ? true : undefined));
      await until('the end of its run', async () => (/^svc_gateway_runs 0$/m.test(await figures()) ? true : undefined));
      child.stdin.end('end\n');
      expect(JSON.parse(said)).to.deep.equal({
        tools: ['endless', 'greet', 'wrong'],
        greeted: [false, { value: 'hello Oslo' }],
        wrong: true,
        absent: -32_602,
        left: true,
      });
      expect((await gateway.stop()).status).to.equal(0);
    });
  });
}
