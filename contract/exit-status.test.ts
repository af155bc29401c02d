import { expect } from 'chai';
import { diagnostic } from './diagnostics/diagnostic.ts';
import { exitStatusOf } from './exit-status.ts';
import { STOP_STATUS, isStopSignal, stopOf } from './stop-signals.ts';

const bug = diagnostic('internal_error');
const other = diagnostic('application_not_found');

describe('exit statuses (cli.md §5)', () => {
  it('are those of the table', () => {
    expect(exitStatusOf({ outcome: 'succeeded' })).to.equal(0);
    expect(exitStatusOf({ outcome: 'conversation_failed' })).to.equal(1);
    expect(exitStatusOf({ outcome: 'failed', error: other, stop: null })).to.equal(3);
    expect(exitStatusOf({ outcome: 'failed', error: bug, stop: null })).to.equal(70);
    expect(exitStatusOf({ outcome: 'envelope_lost' })).to.equal(74);
    expect(exitStatusOf({ outcome: 'gateway_refused' })).to.equal(78);
    expect(exitStatusOf({ outcome: 'gateway_forced' })).to.equal(70);
    expect(exitStatusOf({ outcome: 'output_lost' })).to.equal(74);
    expect(exitStatusOf({ outcome: 'output_closed' })).to.equal(141);
  });

  it('are those of the signal where a command failed for it, and only there', () => {
    for (const [stop, status] of Object.entries(STOP_STATUS)) {
      if (!isStopSignal(stop)) throw new Error(stop);
      expect(exitStatusOf({ outcome: 'failed', error: bug, stop })).to.equal(status);
      expect(exitStatusOf({ outcome: 'failed', error: other, stop })).to.equal(3);
      expect(exitStatusOf({ outcome: 'stopped', stop })).to.equal(status);
    }
  });
});

describe('the signal behind an abort (runtime.md §10)', () => {
  it('is the one that is named, SIGINT for every other reason, and none before', () => {
    expect(stopOf(new AbortController().signal)).to.equal(null);
    expect(stopOf(AbortSignal.abort('SIGTERM'))).to.equal('SIGTERM');
    for (const reason of ['SIGUSR1', undefined, new Error('x'), 15])
      expect(stopOf(AbortSignal.abort(reason))).to.equal('SIGINT');
  });
});
