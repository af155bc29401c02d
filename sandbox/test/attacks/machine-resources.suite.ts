import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { PREAMBLE } from '../../testing/rogue-preamble.ts';
import { rogueHosts } from './rogue-hosts.ts';

const source = (name: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../..', name)).href);
const GUEST_IMAGE = join(import.meta.dirname, '../../../dist/guest.snapshot');
/** More than the launcher asks for, and less than a host of many isolates may map. */
const SHORT_KILOBYTES = 4_000_000;

/** A process that opens an isolate in a host of this script, runs a program in it, and says what that came to. */
const opener = (hostScript: string, folder: string): string => `
  const { startSandbox } = await import(${source('sandbox/pool/pool.ts')});
  const { evaluation, verdictOf } = await import(${source('sandbox/testing/requests.ts')});
  const sandbox = startSandbox({ hostScript: ${JSON.stringify(hostScript)},
    guestImage: ${JSON.stringify(GUEST_IMAGE)}, readableFolders: [${JSON.stringify(folder)}], isolatesPerHost: 4 });
  const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'short', heapWords: 1250000 });
  console.log(verdictOf(await isolate.request(evaluation('1'), { timeoutMs: 60000 })));
  await sandbox.close();
`;

describe('what this machine lacks', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-short-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [title, limit, expected] of [
    ['is the memory of its program where nothing is short', '', 'memory_exceeded'],
    ['is the loss of its host where address space is', `ulimit -v ${SHORT_KILOBYTES}; `, 'host_lost/exited'],
  ] as const) {
    it(`a host that crashes ${title}`, async () => {
      const crash = rogueHosts.find(({ id }) => id === 'death-by-abort');
      const hostScript = join(folder, 'crash.cjs');
      await writeFile(hostScript, `${PREAMBLE}\n${crash?.script ?? ''}\n`);
      const { stdout, stderr } = spawnSync(
        '/bin/sh',
        [
          '-c',
          `${limit}exec "$@"`,
          'sh',
          process.execPath,
          '--no-warnings',
          '--input-type=module',
          '-e',
          opener(hostScript, folder),
        ],
        { encoding: 'utf8' },
      );
      expect(stdout.trim(), stderr).to.equal(process.platform === 'linux' ? expected : 'memory_exceeded');
    });
  }

  it('is no limit of a program whose host somebody ended', async () => {
    const directory = makeWorkDirectory();
    try {
      await writeFile(
        join(directory, 'svc.json'),
        JSON.stringify({
          version: 1,
          workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
          input: { value: {} },
        }),
      );
      await writeFile(join(directory, 'main.clj'), '(ns main)\n(defn run [input] 1)\n');
      // A host that is ended as a system without memory ends it, in the place of the one that was built.
      const dist = join(directory, 'runtime');
      const copied = spawnSync('cp', ['-R', join(import.meta.dirname, '../../../dist'), dist]);
      expect(copied.status).to.equal(0);
      await writeFile(
        join(dist, 'sandbox-host.cjs'),
        `${PREAMBLE}\nconst COMPILED = 'r' + JSON.stringify({ status: 'compiled', code: '', exports: [{ ref: 'main/run', kind: 'function', arities: [1], variadic_from: null, requirements: [], effect: 'read', visibility: 'prompt', doc: null }], namespaces: [{ name: 'main', component: 'main', doc: null }] });\nopening((call, body) => { if (body.includes('"operation":"compile"')) reply(call.id, COMPILED); else if (call.method === 'request') process.kill(process.pid, 'SIGKILL'); else reply(call.id, ''); });\n`,
      );
      const { status, stderr } = await runToEnd({
        argv: ['run', 'svc.json'],
        directory,
        environment: { SVC_RUNTIME_DIR: dist, SVC_BUNDLE_CACHE: 'off' },
      });
      expect(stderr).to.match(
        /^error: execution\/workflow_failed: .*\n {2}problem: .*was ended by SIGKILL from outside: by another process, or by a system that had no memory left/,
      );
      expect(stderr).to.not.match(/workflow_heap_words|evaluation_heap_words|limits\./);
      expect(status).to.equal(5);
    } finally {
      removeWorkDirectory(directory);
    }
  });
});
