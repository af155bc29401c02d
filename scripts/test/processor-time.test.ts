import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { openProcessorGroup } from './processor-group.ts';
import { readProcessorMs } from './processor-time.ts';

describe('processor time of a process and its children', () => {
  it('is the sum of what the system counts', () => {
    const stat = '7 (a ) S (name) S 1 7 7 0 -1 4194560 100 0 0 0 3 2 900 95 20 0 11 0 1000';
    expect(readProcessorMs(null, () => stat)).to.equal(10_000);
  });

  it('is that of its group, where it has one', () => {
    const stat = 'usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n';
    expect(readProcessorMs('/group/cpu.stat', (path) => (path === '/group/cpu.stat' ? stat : ''))).to.equal(1235);
  });

  it('is that of the process alone, where the system does not tell', () => {
    const fails = (): never => {
      throw new Error('no such file');
    };
    expect(readProcessorMs(null, fails)).to.be.greaterThan(0);
  });

  it('counts what nobody waited for', function () {
    const group = openProcessorGroup();
    if (group === null) return this.skip();
    try {
      const busy = 'const end = process.cpuUsage().user + 50_000; while (process.cpuUsage().user < end);';
      // The shell joins the group, and so does what it starts and leaves behind it.
      const script = '/bin/echo $$ >"$2/cgroup.procs" && ("$0" -e "$1" &)';
      execFileSync('/bin/sh', ['-c', script, process.execPath, busy, group.statPath.replace('/cpu.stat', '')]);
      expect(readProcessorMs(group.statPath)).to.be.greaterThan(0);
    } finally {
      group.close();
    }
  });

  it('has no group where none can be made', () => {
    expect(openProcessorGroup('/nonexistent')).to.equal(null);
  });
});
