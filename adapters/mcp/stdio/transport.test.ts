import { expect } from 'chai';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';
import type { StdioDeclaration } from '../declaration.ts';
import type { ServerWorkers } from '../workers.ts';
import { stdioConnector, stdioTransport, type StdioTarget } from './transport.ts';

const DECLARATION: StdioDeclaration = {
  type: 'stdio',
  command: process.execPath,
  args: ['a'],
  directory: '/',
  inherited: { TERM: 'dumb' },
  bindings: new Map([['TOKEN', 'key']]),
  launcher: null,
  graceMs: 50,
  startTimeoutMs: 5000,
  stderrBytes: 0,
  programs: null,
};
const executable = { path: process.execPath, digest: '0'.repeat(64), identity: '' };

async function targetOf(changes: Partial<StdioDeclaration>, stepMs: number): Promise<StdioTarget> {
  const workers: Pick<ServerWorkers, 'executable'> = {
    executable: async () => ({ kind: 'done', value: { result: { ok: true, executable }, processorMs: 0 } }),
  };
  const tools = {
    client: { name: 'svc', version: '1' },
    credentials: new Map([['key', new Secret('s')]]),
    revisions: 'auto' as const,
    network: SYSTEM_NETWORK,
    workers,
    stepMs,
    signal: new AbortController().signal,
  };
  const prepared = await stdioTransport.prepare({ ...DECLARATION, ...changes }, tools);
  if (!prepared.ok) throw new Error(prepared.refusal.code);
  return prepared.target;
}

describe('the start of a server over standard streams (providers.md §7.7)', () => {
  for (const [startTimeoutMs, stepMs, bound] of [
    [4999, 5000, 4999],
    [5000, 5000, 5000],
    [5001, 5000, 5000],
    [1, 60_000, 1],
  ] as const) {
    it(`may take ${bound} ms, where it may take ${startTimeoutMs} and a step ${stepMs}`, async () => {
      expect(await targetOf({ startTimeoutMs }, stepMs)).to.have.property('startTimeoutMs', bound);
    });
  }

  it('that takes longer than that is out of time', async () => {
    const target = await targetOf({ startTimeoutMs: 1 }, 60_000);
    const never = stdioConnector(
      async (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(null), { once: true });
        }),
    );
    expect(await never.open(target)).to.deep.equal({ fault: 'timeout', said: 'it had not started within 1 ms' });
  });

  it('that fails before is no matter of time', async () => {
    const target = await targetOf({ startTimeoutMs: 60_000 }, 60_000);
    expect(await stdioConnector(async () => null).open(target)).to.deep.equal({
      fault: 'closed',
      said: 'it could not be started',
    });
  });
});
