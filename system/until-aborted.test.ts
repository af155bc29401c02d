import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { waitUntilAborted } from './until-aborted.ts';

const never = new Promise<never>(() => undefined);

describe('waiting until a signal is raised', () => {
  it('gives what comes first, and leaves nothing at the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    expect(await waitUntilAborted(Promise.resolve(1), signal, 'stopped')).to.equal(1);
    expect(await waitUntilAborted(Promise.reject(new Error('x')), signal, 'stopped').catch(() => 'threw')).to.equal(
      'threw',
    );
    expect(getEventListeners(signal, 'abort')).to.have.length(0);
    const waiting = waitUntilAborted(never, signal, 'stopped');
    expect(getEventListeners(signal, 'abort')).to.have.length(1);
    controller.abort();
    expect(await waiting).to.equal('stopped');
    expect(getEventListeners(signal, 'abort')).to.have.length(0);
  });

  it('waits for nothing where it was raised', async () => {
    expect(await waitUntilAborted(never, AbortSignal.abort(), null)).to.equal(null);
  });
});
