import { expect } from 'chai';
import { hostLimits } from './host-limits.ts';

const MEBIBYTE = 1024;

describe('limits of a host process (design.md §1.3)', () => {
  it('Linux bounds the data segment, address space that V8 only reserves included', () => {
    expect(hostLimits(4, 'linux')).to.deep.equal({
      stackKilobytes: 16_384,
      dataKilobytes: (1536 + 5 * 640) * MEBIBYTE,
      residentKilobytes: null,
    });
  });

  it('macOS enforces no such bound: the host watches what it really holds', () => {
    expect(hostLimits(4, 'darwin')).to.deep.equal({
      stackKilobytes: 16_384,
      dataKilobytes: null,
      residentKilobytes: (410 + 5 * 128) * MEBIBYTE,
    });
  });

  it('each further isolate has the room of its largest heap and more', () => {
    const resident = (isolates: number): number => hostLimits(isolates, 'darwin').residentKilobytes ?? 0;
    expect(resident(2) - resident(1)).to.be.greaterThan(64 * MEBIBYTE);
  });
});
