import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const file = (name: string): string => JSON.stringify(join(import.meta.dirname, name));
/** Starts a child that says what its descriptors lead to, beyond the standard ones and that of the list itself. */
const PARENT = `
  import { spawn } from 'node:child_process';
  const { startedChild } = await import(${file('started-child.ts')});
  const script = 'for fd in /proc/self/fd/*; do case $fd in */[012]) ;; *) echo "$(basename $fd) $(readlink $fd)" ;; esac; done';
  startedChild((only) => spawn('/bin/sh', ['-c', script], { stdio: only(['ignore', 'inherit', 'inherit', 'pipe']) }));
`;

/** On Linux: elsewhere the system closes them, and there is no list to look at. */
const isListed = process.platform === 'linux';

describe('descriptors of a parent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-descriptors-'));
  const secret = join(folder, 'secret');
  before(() => {
    writeFileSync(secret, 'sk-of-somebody-0815');
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  for (const descriptors of [[], [3], [16, 17, 18], [17, 63, 200]] as const) {
    it(`reach no child: ${descriptors.join(', ') || 'none'}`, () => {
      // A shell has no more than nine of them in all dialects: node hands them on.
      const launcher = `
        const { spawnSync } = require('node:child_process'), { openSync } = require('node:fs');
        const stdio = ['ignore', 'inherit', 'inherit'];
        for (const descriptor of ${JSON.stringify(descriptors)}) {
          while (stdio.length < descriptor) stdio.push('ignore'); stdio.push(openSync(process.argv[1], 'r')); }
        spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', process.argv[2]], { stdio });
      `;
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', launcher, secret, PARENT], { encoding: 'utf8' });
      expect(stderr).to.equal('');
      expect(stdout).to.not.include('secret');
      if (isListed) expect(stdout).to.match(/^3 (socket|pipe):/m);
    });
  }
});
