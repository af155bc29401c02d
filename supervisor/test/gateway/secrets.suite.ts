/**
 * What must not be told is planted wherever a gateway reads, and looked for wherever it writes (gateway.md §9, §11,
 * §13).
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LOOK_UP, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { TOKEN, freePort, messagesOf, modern, startTestGateway } from './gateway.ts';
import { WRITING } from './writing.ts';

const PLANTED = {
  argument: 'sk-planted-argument-0815',
  result: 'sk-planted-result-0815',
  served: 'sk-planted-served-0815',
  key: 'sk-planted-key-0815',
  fails: 'sk-planted-fail-0815',
  wrongBearer: 'sk-planted-bearer-of-somebody-else-0815',
  serverKey: 'sk-planted-server-key-0815',
  other: 'sk-planted-unused-0815',
  header: 'sk-planted-header-0815',
  wrongMember: 'sk-planted-member-0815',
} as const;
const CODE = `(do "${PLANTED.argument}" (tool/look-up {:city "${PLANTED.argument}"}) "${PLANTED.result}")`;

/** All that lies below a folder, and was not put there by this test. */
function textsBelow(directory: string, ignored: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? textsBelow(path, ignored) : [[path, readFileSync(path, 'latin1')] as const];
    });
}

describe('secrets that a gateway is given', () => {
  it('are in no log, audit, error, figure or trace', async () => {
    const port = await freePort();
    const desk = Object(WRITING.install)['desk'];
    const gateway = await startTestGateway(
      {
        ...WRITING,
        install: {
          desk: { ...desk, transport: { ...desk.transport, env: { SERVER_KEY: { binding: 'server-key' } } } },
        },
        credentials: { 'server-key': { literal: PLANTED.serverKey } },
        tools: {
          ...WRITING.tools,
          fails: {
            program: `(ns main)\n(defn run [input] (fail {:reason "x" :said "${PLANTED.fails}" :input input}))\n`,
          },
        },
        files: {
          ...WRITING.files,
          'secrets.env': `UNUSED=${PLANTED.other}\n`,
          'script.json': { steps: [discover(), listing(LOOK_UP), call({ result: textResult(PLANTED.served) })] },
        },
        edit: (document) => ({ ...WRITING.edit?.(document), artifacts: { root: 'artifacts', trace: true } }),
      },
      ['--log', 'gateway.log', '--metrics', String(port), '--env-file', 'secrets.env'],
      (directory) => {
        for (const name of ['audit', 'artifacts']) mkdirSync(join(directory, name), { mode: 0o700 });
      },
    );
    const ask = async (name: string, input: object, extra: Parameters<typeof modern>[2] = {}): Promise<Response> =>
      fetch(gateway.url, modern('tools/call', { name, arguments: input }, extra));
    const good = (await messagesOf(await ask('act', { value: CODE }))).at(-1);
    expect(good).to.have.nested.property('result.structuredContent.value').that.includes(PLANTED.result);
    const errors = [
      await (await ask('fails', { value: PLANTED.argument })).text(),
      await (await ask('act', { value: `(throw (ex-info "${PLANTED.argument}" {}))` })).text(),
      await (await ask('act', { value: `(not-there "${PLANTED.argument}"` })).text(),
      await (await ask('echo', { [PLANTED.wrongMember]: PLANTED.argument })).text(),
      await (await ask('echo', { value: 1 }, { headers: { 'mcp-param-x': PLANTED.header } })).text(),
      await (await ask('none', { value: PLANTED.argument })).text(),
      await (await ask('echo', { value: 'v' }, { headers: { authorization: `Bearer ${PLANTED.wrongBearer}` } })).text(),
      await (await ask('echo', { value: 'v' }, { headers: { origin: `https://${PLANTED.header}.example` } })).text(),
      await (await ask('echo', { value: 'v' }, { meta: { 'svc/idempotency_key': PLANTED.key } })).text(),
      await (await ask('echo', { value: 'w' }, { meta: { 'svc/idempotency_key': PLANTED.key } })).text(),
      await (
        await fetch(gateway.url, {
          ...modern('tools/list'),
          body: `{"jsonrpc":"2.0","id":1,"method":"${PLANTED.header}"`,
        })
      ).text(),
    ];
    expect(errors.filter((text) => text.includes('error') || text.includes('isError')).length).to.be.greaterThan(8);
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    let left: readonly (readonly [string, string])[] = [];
    const end = await gateway.stop((directory) => {
      // What this test wrote itself, and what the server of tools wrote of its own calls.
      left = textsBelow(
        directory,
        new Set([
          'act',
          'echo',
          'fails',
          'host.json',
          'gateway.json',
          'unpinned.json',
          'script.json',
          'secrets.env',
          'log',
          'pids',
        ]),
      );
    });
    const written = [
      ...left,
      ['errors', errors.join('\n')],
      ['figures', figures],
      ['stdout', end.stdout],
      ['stderr', end.stderr],
    ] as const;
    const names = left.map(([path]) => path.split('/').slice(-2).join('/'));
    for (const name of ['gateway.log', 'keys-'])
      expect(
        names.some((path) => path.includes(name)),
        name,
      ).to.equal(true);
    expect(names.filter((path) => path.startsWith('traces/')).length).to.be.greaterThan(3);
    for (const [name, text] of written)
      for (const [what, secret] of Object.entries({ ...PLANTED, token: TOKEN }))
        expect(text.includes(secret), `${what} in ${name}`).to.equal(false);
    expect(end.status).to.equal(0);
  });
});
