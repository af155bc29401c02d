/** Gateways of a machine that has no more to give (gateway.md §15). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { isMountable, smallDisk, type SmallDisk } from '../supervisor/small-disk.ts';
import { messagesOf, modern, startTestGateway, type TestGateway } from './gateway.ts';

const ECHO = '(ns main)\n(defn run [input] {:value (get input "value")})\n';
/** More than a small disk has room for. */
const LONG = 'x'.repeat(300_000);

const call = async (gateway: TestGateway, value: string): Promise<Response> =>
  fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value } }));
const isReady = async ({ url }: TestGateway): Promise<boolean> =>
  (await fetch(new URL('/health/ready', url))).status === 200;
const codeOf = (message: unknown): string => String(Object(message).result?.content?.[0]?.text).split(':')[0] ?? '';

if (isMountable()) {
  describe('a gateway whose artifacts have no room', () => {
    let disk: SmallDisk | null = null;
    afterEach(() => {
      disk?.unmount();
      disk = null;
    });

    async function onSmallDisk(): Promise<{ readonly gateway: TestGateway; readonly root: string }> {
      const gateway = await startTestGateway(
        {
          tools: { echo: { program: ECHO } },
          edit: (document) => ({ ...document, artifacts: { root: 'artifacts', trace: true, inspection: true } }),
        },
        [],
        (directory) => {
          mkdirSync(join(directory, 'artifacts'), { mode: 0o700 });
        },
      );
      const root = join(gateway.directory, 'artifacts');
      disk = smallDisk(root);
      return { gateway, root };
    }

    it('says that what a run left was not published, gives its value to nobody, and goes on', async () => {
      const { gateway, root } = await onSmallDisk();
      const failed = (await messagesOf(await call(gateway, LONG))).at(-1);
      expect(failed).to.have.nested.property('result.isError', true);
      expect(codeOf(failed)).to.match(/^(?:trace|inspection|artifact|result_publication|evidence)_/);
      expect(JSON.stringify(failed)).not.to.include('xxxx');
      expect(readdirSync(root, { recursive: true }).filter((name) => String(name).includes('.svcins'))).to.deep.equal(
        [],
      );
      expect(await isReady(gateway)).to.equal(true);
      expect((await messagesOf(await call(gateway, 'v'))).at(-1)).to.have.nested.property(
        'result.structuredContent.value',
        'v',
      );
      disk?.unmount();
      disk = null;
      expect((await gateway.stop()).status).to.equal(0);
    });

    it('refuses calls before they begin when nothing fits any more, and takes them again when something does', async () => {
      const { gateway, root } = await onSmallDisk();
      writeFileSync(join(root, 'filler'), Buffer.alloc(statfsSync(root).bavail * statfsSync(root).bsize));
      const refused = await call(gateway, 'v');
      expect([refused.status, Object(await refused.json()).error.data]).to.deep.equal([
        503,
        { reason: 'artifact_unavailable' },
      ]);
      expect(await isReady(gateway)).to.equal(true);
      disk?.grow();
      expect((await messagesOf(await call(gateway, 'v'))).at(-1)).to.have.nested.property(
        'result.structuredContent.value',
        'v',
      );
      disk?.unmount();
      disk = null;
      expect((await gateway.stop()).status).to.equal(0);
    });
  });
}

/** How many descriptors a process may have; null: as many as the machine lets anybody. */
function limitDescriptors(pid: number, most: number | null): boolean {
  return spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most ?? 1024}:1024`]).status === 0;
}

/** The limit below which so many descriptors of a process are free. */
function limitWith(pid: number, free: number): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let limit = 0;
  for (let left = free; left > 0 || open.has(limit); limit += 1) left -= open.has(limit) ? 0 : 1;
  return limit;
}

if (process.platform === 'linux') {
  describe('a gateway without descriptors', () => {
    it('refuses what it cannot take, ends nothing but calls, and is well again', async () => {
      const gateway = await startTestGateway({ tools: { echo: { program: ECHO } } });
      const pid = gateway.child.pid ?? 0;
      expect((await messagesOf(await call(gateway, 'v'))).at(-1)).to.have.nested.property('result.isError', false);
      for (const more of [0, 1, 2, 3, 4, 6, 8, 12, 16]) {
        // Whoever has no host any more needs descriptors for the next one, too.
        for (const host of readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
          .split(' ')
          .filter((text) => text.trim() !== ''))
          process.kill(Number(host), 'SIGKILL');
        expect(limitDescriptors(pid, limitWith(pid, more))).to.equal(true);
        const ends = await Promise.all(
          Array.from({ length: 24 }, async () => {
            try {
              const response = await fetch(gateway.url, {
                ...modern('tools/call', { name: 'echo', arguments: { value: 'v' } }),
                signal: AbortSignal.timeout(20_000),
              });
              if (response.status !== 200) return String(response.status);
              const last = Object((await messagesOf(response)).at(-1));
              return last.result?.isError === false ? 'answered' : `failed ${codeOf(last)}`;
            } catch {
              return 'no connection';
            }
          }),
        );
        for (const end of ends) expect(end).to.match(/^(?:answered|429|503|no connection|failed workflow_failed)$/);
        expect(gateway.child.exitCode, 'it lives').to.equal(null);
      }
      expect(limitDescriptors(pid, null)).to.equal(true);
      await until('it answers again', async () => {
        const message = await call(gateway, 'v').then(messagesOf, () => []);
        return Object(message.at(-1)).result?.isError === false ? true : undefined;
      });
      expect(await isReady(gateway)).to.equal(true);
      expect((await gateway.stop()).status).to.equal(0);
    });
  });
}
