/** A call that is made twice with one key runs once (gateway.md §12). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { start } from '../../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { LOOK_UP, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { until } from '../../../conformance/until.ts';
import { ENVIRONMENT, TOKEN, messagesOf, modern, type TestGateway } from './gateway.ts';
import { ASK, audited } from './writing.ts';

const calls = (directory: string): number =>
  readFileSync(join(directory, 'log'), 'utf8').match(/tools\/call/g)?.length ?? 0;

const keyed = async (
  { url }: Pick<TestGateway, 'url'>,
  key: unknown,
  { name = 'act', value = ASK, id = 1 }: { readonly name?: string; readonly value?: string; readonly id?: number } = {},
): Promise<Response> =>
  fetch(url, modern('tools/call', { name, arguments: { value } }, { id, meta: { 'svc/idempotency_key': key } }));

async function streamed(response: Response): Promise<unknown> {
  return (await messagesOf(response)).at(-1);
}
async function refusedWith(response: Response): Promise<unknown> {
  const { error } = Object(await response.json());
  return [response.status, error.code, error.data.reason];
}

describe('a call with an idempotency key', () => {
  it('runs once, and is answered again as it was answered', async () => {
    const gateway = await audited();
    const first = Object(await streamed(await keyed(gateway, 'a')));
    expect(first).to.have.nested.property('result.isError', false);
    expect(await (await keyed(gateway, 'a', { id: 2 })).json()).to.deep.equal({ ...first, id: 2 });
    expect(calls(gateway.directory)).to.equal(1);
    expect(await refusedWith(await keyed(gateway, 'a', { value: `${ASK} ` }))).to.deep.equal([
      200,
      -32602,
      'idempotency_key',
    ]);
    const old = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'act', arguments: { value: ASK }, _meta: { 'svc/idempotency_key': 'a' } },
      }),
    });
    const { resultType, ...result } = first.result;
    expect(resultType).to.equal('complete');
    expect(await old.json()).to.deep.equal({ ...first, id: 3, result });
    expect(await streamed(await keyed(gateway, 'b'))).to.have.nested.property('result.isError', false);
    expect(calls(gateway.directory)).to.equal(2);
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('has a key of 1 to 128 characters', async () => {
    const gateway = await audited();
    for (const key of ['', 'k'.repeat(129), 7, null, {}])
      expect(
        await refusedWith(await keyed(gateway, key, { name: 'echo', value: 'v' })),
        JSON.stringify(key),
      ).to.deep.equal([200, -32602, 'idempotency_key']);
    for (const key of ['k', 'k'.repeat(127), 'k'.repeat(128)])
      expect(await streamed(await keyed(gateway, key, { name: 'echo', value: 'v' }))).to.have.nested.property(
        'result.structuredContent.value',
        'v',
      );
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('that runs is refused, and one whose arguments break the contract never began', async () => {
    const waits = {
      'script.json': {
        steps: [discover(), listing(LOOK_UP), call({ waitsForCancel: true, result: textResult('late') })],
      },
    };
    const gateway = await audited({ files: waits });
    const going = new AbortController();
    const running = fetch(gateway.url, {
      ...modern('tools/call', { name: 'act', arguments: { value: ASK } }, { meta: { 'svc/idempotency_key': 'a' } }),
      signal: going.signal,
    })
      .then(async (response) => response.text())
      .catch(() => 'gone');
    await until('its call', () => (calls(gateway.directory) === 1 ? true : undefined));
    const again = await keyed(gateway, 'a');
    expect(again.headers.get('retry-after')).to.equal('1');
    expect(await refusedWith(again)).to.deep.equal([429, -31999, 'duplicate_in_progress']);
    going.abort();
    expect(await running).to.equal('gone');
    // However it ended, it is told and not run again.
    const reported = await until('its end', async () => {
      const response = await keyed(gateway, 'a');
      return response.status === 200 ? response.json() : undefined;
    });
    expect(reported).to.deep.nested.include({ 'result.isError': true, 'result._meta.svc/call.retry': 'unsafe' });
    expect(calls(gateway.directory)).to.equal(1);
    const wrong = fetch(
      gateway.url,
      modern('tools/call', { name: 'echo', arguments: { other: 1 } }, { meta: { 'svc/idempotency_key': 'c' } }),
    );
    expect(await (await wrong).json()).to.have.nested.property('result.isError', true);
    expect(await streamed(await keyed(gateway, 'c', { name: 'echo', value: 'v' }))).to.have.nested.property(
      'result.structuredContent.value',
      'v',
    );
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('is known after kill -9: what had ended by its answer, what ran as something nobody knows the end of', async () => {
    const files = {
      'script.json': {
        steps: [
          discover(),
          listing(LOOK_UP),
          { ...call({ result: textResult('done') }), times: 1 },
          call({ waitsForCancel: true, result: textResult('late') }),
        ],
      },
    };
    const gateway = await audited({ files });
    const { directory } = gateway;
    const first = Object(await streamed(await keyed(gateway, 'a')));
    const cut = keyed(gateway, 'b')
      .then(async (response) => response.text())
      .catch(() => 'cut');
    await until('its call', () => (calls(directory) === 2 ? true : undefined));
    gateway.child.kill('SIGKILL');
    expect(await cut).to.equal('cut');
    const { child, ended } = start({
      argv: ['gateway', 'gateway.json'],
      directory,
      environment: ENVIRONMENT,
      options: { timeout: 0 },
    });
    let output = '';
    child.stdout?.on('data', (text: string) => {
      output += text;
    });
    await until('the next one is ready', () => (output.includes('\n') ? true : undefined));
    expect(await (await keyed(gateway, 'a', { id: 9 })).json()).to.deep.equal({ ...first, id: 9 });
    const unknown = await (await keyed(gateway, 'b')).json();
    expect(unknown).to.deep.nested.include({
      'result.isError': true,
      'result._meta.svc/call.code': 'call_indeterminate',
      'result._meta.svc/call.retry': 'unsafe',
      'result._meta.svc/call.effects': 'indeterminate',
    });
    expect(calls(directory)).to.equal(2);
    child.kill('SIGTERM');
    expect((await ended).status).to.equal(0);
    removeWorkDirectory(directory);
  });
});
