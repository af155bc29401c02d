import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { argumentsAreUtf8 } from './argument-encoding.ts';
import { watchStopSignals } from './signals.ts';

describe('stop signals (runtime.md §10)', () => {
  it('the first aborts, the second ends the process with its own status', () => {
    const source = new EventEmitter();
    const statuses: number[] = [];
    const watch = watchStopSignals(source, (status) => statuses.push(status));
    expect(watch.received()).to.equal(null);
    source.emit('SIGINT');
    expect(watch.received()).to.equal('SIGINT');
    expect(watch.signal.aborted).to.equal(true);
    expect(statuses).to.deep.equal([]);
    source.emit('SIGTERM');
    expect(statuses).to.deep.equal([143]);
    expect(watch.received()).to.equal('SIGINT');
    watch.stop();
    expect(source.eventNames()).to.deep.equal([]);
  });

  for (const [signal, status] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const) {
    it(`${signal} stops a command, and a second one ends it with ${status}`, () => {
      const source = new EventEmitter();
      const statuses: number[] = [];
      const watch = watchStopSignals(source, (ended) => statuses.push(ended));
      source.emit(signal);
      expect(watch.signal.reason).to.equal(signal);
      source.emit(signal);
      expect(statuses).to.deep.equal([status]);
    });
  }

  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGALRM']) {
    it(`${signal} asks nothing of a command`, () => {
      const source = new EventEmitter();
      const statuses: number[] = [];
      const watch = watchStopSignals(source, (ended) => statuses.push(ended));
      // An event that somebody listens for: the system's own answer to it, the end of the process, is off.
      expect(source.emit(signal) && source.emit(signal)).to.equal(true);
      expect(watch.received()).to.equal(null);
      expect(statuses).to.deep.equal([]);
    });
  }
});

describe('encoding of the arguments (cli.md §1 rule 1)', () => {
  it('asks for the bytes only when a replacement character shows up', () => {
    const never = (): Uint8Array => {
      throw new Error('asked');
    };
    expect(argumentsAreUtf8(['run', 'é'], never)).to.equal(true);
    expect(argumentsAreUtf8(['\uFFFD'], () => new TextEncoder().encode('node\0\uFFFD\0'))).to.equal(true);
    expect(argumentsAreUtf8(['\uFFFD'], () => Uint8Array.of(0x6e, 0, 0xff, 0))).to.equal(false);
    expect(argumentsAreUtf8(['\uFFFD'], never)).to.equal(false);
  });
});
