import { expect } from 'chai';
import { commandFacts, machineFacts, procFacts } from './process-facts.ts';
import { processOwnerProbe } from './owner.ts';

/** Answers of a macOS machine, by the command line. */
const MAC: Readonly<Record<string, string>> = {
  '/usr/sbin/sysctl -n kern.bootsessionuuid': '4A6B3A0E-0B0F-4C0E-9F0D-3C1F2B7C9A11\n',
  '/bin/ps -o lstart= -p 17': 'Sun Nov 22 07:50:12 2026    \n',
};
const onMac = (answers = MAC) => commandFacts((file, args) => answers[[file, ...args].join(' ')] ?? null);

describe('what a machine tells of processes', () => {
  it('macOS: the session since its start, and the second in which a process began, asked of commands', () => {
    expect(onMac().boot()).to.equal('4A6B3A0E-0B0F-4C0E-9F0D-3C1F2B7C9A11');
    expect(onMac().namespace()).to.equal('');
    expect(onMac().startOf(17)).to.equal('Sun Nov 22 07:50:12 2026');
    expect(onMac().startOf(18)).to.equal('');
  });

  it('commands that are not there tell nothing', () => {
    expect([onMac({}).boot(), onMac({}).startOf(17)]).to.deep.equal(['', '']);
  });

  it('is chosen by the platform; what really runs here finds this process', () => {
    for (const facts of [machineFacts('linux'), machineFacts('darwin')]) {
      expect(facts.startOf(process.pid)).to.not.equal('');
      expect(facts.startOf(process.pid)).to.equal(facts.startOf(process.pid));
      expect(facts.startOf(4_194_305)).to.equal('');
    }
    expect(machineFacts('linux').boot()).to.match(/^[0-9a-f-]{36}$/);
    // This machine's sysctl, if any, knows no session.
    expect(machineFacts('darwin').boot()).to.equal('');
  });

  it('no /proc tells nothing', () => {
    const facts = procFacts('/nonexistent');
    expect([facts.boot(), facts.namespace(), facts.startOf(process.pid)]).to.deep.equal(['', '', '']);
  });

  for (const [what, facts] of [
    ['/proc', procFacts()],
    ['commands', machineFacts('darwin')],
    ['nothing', procFacts('/nonexistent')],
  ] as const) {
    it(`owners are told apart as far as ${what} can tell`, async () => {
      const probe = processOwnerProbe(facts);
      const self = await probe.self();
      expect(await probe.isAlive(self)).to.equal('alive');
      expect(await probe.isAlive({ ...self, pid: 4_194_305 })).to.equal('dead');
      expect(await probe.isAlive({ ...self, boot: 'another' })).to.equal('dead');
      if (what !== 'nothing') expect(await probe.isAlive({ ...self, started: 'another' })).to.equal('dead');
    });
  }
});
