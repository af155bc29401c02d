import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'examples/hosted-runner');
const RUN_NAME = 'cmd-00000000000000000000000007';

const programs = findPostgresFor('the example of a service whose runs others perform');
if (programs !== null) {
  describe('the example of a service whose runs others perform', () => {
    let server: PostgresServer;
    let url = '';
    let address = '';
    let commands: readonly string[] = [];
    let runner: ChildProcess;
    const children = new Set<ChildProcess>();

    /** A command of the page as a user types it, but for where things are; until it has told something. */
    const start = async (
      command: string,
      stream: 'stdout' | 'stderr',
    ): Promise<{ readonly child: ChildProcess; readonly line: string }> => {
      const line = command
        .replace('node_modules/.bin/svc', `${process.execPath} ${join(root, 'dist/svc.cjs')}`)
        .replace(/^node /, `${process.execPath} `)
        .replace('postgres:///svc_runs', `'${url}'`)
        .replace(/ &$/, '');
      const child = spawn('sh', ['-c', `exec ${line}`], {
        cwd: folder,
        stdio: ['ignore', stream === 'stdout' ? 'pipe' : 'ignore', stream === 'stderr' ? 'pipe' : 'inherit'],
      });
      children.add(child);
      const reported = child[stream];
      if (reported === null) throw new Error('a command tells that it is there');
      const [first]: unknown[] = await once(reported, 'data');
      reported.resume();
      return { child, line: String(first) };
    };
    const commandWith = (words: string): string => {
      const found = commands.find((command) => command.includes(words));
      if (found === undefined) throw new Error(`the page has no command with ${words}`);
      return found;
    };
    const ask = async (
      tenant: string,
      method: string,
      path: string,
      body?: unknown,
    ): Promise<{ readonly status: number; readonly answer: Readonly<Record<string, unknown>> }> => {
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer token-${tenant}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      return { status: response.status, answer: typeof answer === 'object' && answer !== null ? { ...answer } : {} };
    };
    const statesOf = async (
      tenant: string,
      runRef: unknown,
      onState: (state: string) => Promise<void> = async () => undefined,
    ): Promise<readonly string[]> => {
      const response = await fetch(`${address}/runs/${String(runRef)}/events`, {
        headers: { authorization: `Bearer token-${tenant}` },
      });
      const states: string[] = [];
      let text = '';
      for await (const part of response.body ?? []) {
        text += Buffer.from(part).toString();
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const state = /^event: (\S+)$/m.exec(text.slice(0, end))?.[1] ?? '';
          text = text.slice(end + 2);
          states.push(state);
          await onState(state);
        }
      }
      return states;
    };

    before(async () => {
      commands = [...(await readFile(join(folder, 'README.md'), 'utf8')).matchAll(/^```sh\n([^`]*)```/gm)].flatMap(
        ([, block = '']) => block.trim().split('\n'),
      );
      expect(commands.slice(0, 5)).to.have.length(5);
      server = await startPostgres(programs);
      url = server.newDatabase();
      const started = await start(commandWith('svc runner'), 'stderr');
      runner = started.child;
      const digest = /sha256:[0-9a-f]{64}/.exec(started.line)?.[0] ?? '';
      const service = await start(commandWith('service.ts').replace('"$DIGEST" 8080', `${digest} 0`), 'stdout');
      address = /http:\/\/127\.0\.0\.1:\d+/.exec(service.line)?.[0] ?? '';
    });
    after(async () => {
      for (const child of children) child.kill('SIGKILL');
      await server.close();
    });

    it('runs what the page asks for, and shows it to its tenant alone', async () => {
      const { line } = await start(commandWith('curl -s -H').replace('http://127.0.0.1:8080', address), 'stdout');
      const requested: { readonly run_ref: string } = JSON.parse(line);
      const states = await statesOf('acme', requested.run_ref);
      expect(states.at(-1)).to.equal('finished');
      const { answer } = await ask('acme', 'GET', `/runs/${requested.run_ref}`);
      expect(answer).to.have.nested.property('envelope.result.value.total', 2500);
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/events'],
        ['DELETE', ''],
      ] as const)
        expect(await ask('globex', method, `/runs/${requested.run_ref}${path}`)).to.deep.equal({
          status: 404,
          answer: { error: 'run_unknown' },
        });
      expect(await ask('nobody', 'GET', `/runs/${requested.run_ref}`)).to.deep.equal({
        status: 401,
        answer: { error: 'tenant_unknown' },
      });
    });

    it('begins a run of one name once, and refuses what is no input', async () => {
      const input = { orders: [], rounds: 1 };
      expect((await ask('globex', 'POST', `/runs/${RUN_NAME}`, input)).answer).to.deep.equal({
        run_ref: RUN_NAME,
        outcome: 'accepted',
      });
      expect((await ask('globex', 'POST', `/runs/${RUN_NAME}`, input)).answer).to.deep.equal({
        run_ref: RUN_NAME,
        outcome: 'duplicate',
      });
      expect(await ask('globex', 'POST', `/runs/${RUN_NAME}`, { ...input, rounds: 2 })).to.deep.equal({
        status: 409,
        answer: { error: 'run_ref_conflict' },
      });
      expect(await ask('initech', 'POST', `/runs/${RUN_NAME}`, input)).to.deep.equal({
        status: 409,
        answer: { error: 'run_ref_conflict' },
      });
      expect((await ask('globex', 'POST', '/runs', [1])).status).to.equal(400);
      expect((await ask('globex', 'POST', '/runs/mine', input)).status).to.equal(400);
      expect((await ask('globex', 'POST', '/runs', { text: 'x'.repeat(65_536) })).status).to.equal(413);
    });

    it('stops a run that goes on, and hands that of a killed runner to the next', async function () {
      this.timeout(300_000);
      const endless = { orders: [], rounds: 1_000_000_000_000 };
      const { answer: cancelled } = await ask('initech', 'POST', '/runs', endless);
      const seen = await statesOf('initech', cancelled['run_ref'], async (state) => {
        if (state === 'running')
          expect((await ask('initech', 'DELETE', `/runs/${String(cancelled['run_ref'])}`)).answer).to.deep.equal({
            outcome: 'signalled',
          });
      });
      expect(seen.at(-1)).to.equal('cancelled');

      // Long enough to be killed while it runs; the next runner performs all of it.
      const long = { orders: [], rounds: 600_000_000 };
      const { answer } = await ask('acme', 'POST', '/runs', long);
      let isKilled = false;
      const states = await statesOf('acme', answer['run_ref'], async (state) => {
        if (state !== 'running' || isKilled) return;
        isKilled = true;
        runner.kill('SIGKILL');
        await start(commandWith('svc runner'), 'stderr');
      });
      expect(states.at(-1)).to.equal('finished');
      expect((await ask('acme', 'GET', `/runs/${String(answer['run_ref'])}`)).answer).to.include({ attempt: 2 });
    });
  });
}
