import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { hostWeight } from './host-weight.ts';

/** Of this process, which may itself have been lowered; of a host, and of one that gives way. */
const EVEN = getPriority();
const LIGHT = Math.min(19, EVEN + 10);

describe('what a host process weighs', () => {
  let child: ChildProcess;
  beforeEach(async () => {
    child = spawn(process.execPath, ['-e', 'process.stdout.write("r"); setInterval(() => undefined, 1000)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    if (child.stdout !== null) await once(child.stdout, 'data');
  });
  afterEach(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  it('is less once it gives way, and as before afterwards or worn where this user may not raise it', () => {
    const weight = hostWeight(child.pid);
    const before = getPriority(child.pid);
    expect([before, weight.isWorn()]).to.deep.equal([EVEN, false]);
    weight.giveWay(true);
    expect([getPriority(child.pid), weight.isWorn()]).to.deep.equal([LIGHT, false]);
    weight.giveWay(false);
    expect(getPriority(child.pid)).to.equal(weight.isWorn() ? LIGHT : EVEN);
    weight.close();
  });

  it('stays as it is when nothing changes, and for a process that never started', () => {
    const weight = hostWeight(child.pid);
    weight.giveWay(false);
    expect(getPriority(child.pid)).to.equal(EVEN);
    weight.close();
    const none = hostWeight(undefined);
    none.giveWay(true);
    none.giveWay(false);
    expect(none.isWorn()).to.equal(false);
    none.close();
  });

  it('is no matter for a process that has ended', async () => {
    const ended = spawn(process.execPath, ['-e', '0']);
    await once(ended, 'exit');
    const weight = hostWeight(ended.pid);
    weight.giveWay(true);
    weight.giveWay(false);
    weight.close();
    expect(weight.isWorn()).to.be.a('boolean');
  });
});
