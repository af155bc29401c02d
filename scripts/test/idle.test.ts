import { expect } from 'chai';
import { defaultWorkers, idleShare, mayStart, watchIdle } from './idle.ts';

describe('how idle the processors are', () => {
  it('is the share of the time between two readings', () => {
    expect(idleShare({ idle: 100, all: 1000 }, { idle: 150, all: 1200 })).to.equal(0.25);
    expect(idleShare({ idle: 100, all: 1000 }, { idle: 100, all: 1200 })).to.equal(0);
    expect(idleShare({ idle: 100, all: 1000 }, { idle: 300, all: 1200 })).to.equal(1);
  });

  it('is nothing where no time went by, or where the clock of a processor went back', () => {
    expect(idleShare({ idle: 100, all: 1000 }, { idle: 100, all: 1000 })).to.equal(0);
    expect(idleShare({ idle: 100, all: 1000 }, { idle: 90, all: 1010 })).to.equal(0);
  });

  it('is asked for since the last time, and not known before a second of processors', () => {
    const readings = [
      { idle: 0, all: 0 },
      { idle: 100, all: 1000 },
      { idle: 1000, all: 1999 },
      { idle: 600, all: 2000 },
    ].values();
    const idle = watchIdle(() => readings.next().value ?? { idle: 0, all: 0 });
    expect([idle(), idle(), idle()]).to.deep.equal([0.1, 0, 0.5]);
  });

  it('is read from this machine', () => {
    expect(watchIdle()()).to.be.within(0, 1);
  });
});

describe('how many processes of tests run', () => {
  const workers = { least: 3, most: 8 };

  it('is never less than the least, on a busy machine', () => {
    expect([0, 2, 3].map((running) => mayStart(running, workers, 0))).to.deep.equal([true, true, false]);
  });

  it('is more where the processors are idle, up to the most', () => {
    expect([0.19, 0.2, 0.21].map((idle) => mayStart(3, workers, idle))).to.deep.equal([false, true, true]);
    expect([7, 8, 9].map((running) => mayStart(running, workers, 1))).to.deep.equal([true, false, false]);
  });

  it('is bounded by processors, and by memory where there is little', () => {
    expect(defaultWorkers(2, 64e9)).to.deep.equal({ least: 3, most: 6 });
    expect(defaultWorkers(2, 5e9)).to.deep.equal({ least: 3, most: 5 });
    expect(defaultWorkers(2, 1e9)).to.deep.equal({ least: 3, most: 3 });
  });
});
