import { expect } from 'chai';
import sinon from 'sinon';
import { startProgress } from './progress.ts';

describe('progress (cli.md §4)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => { clock = sinon.useFakeTimers(); });
  afterEach(() => { clock.restore(); });

  function watch(isTerminal: boolean, document = '/apps/svc.json') {
    let text = '';
    const progress = startProgress({ document, isTerminal, write: (more) => { text += more; }, now: () => clock.now });
    return { progress, text: () => text };
  }

  it('writes lines to a pipe: the title, a word after ten silent seconds, the end', () => {
    const { progress, text } = watch(false);
    clock.tick(75_000);
    progress.finish('completed');
    clock.tick(60_000);
    const lines = text().split('\n');
    expect(lines[0]).to.equal('[00:00] preparing svc.json');
    expect(lines.slice(1, 8)).to.deep.equal(['10', '20', '30', '40', '50'].map((seconds) => `[00:${seconds}] still running`)
      .concat(['[01:00] still running', '[01:10] still running']));
    expect(lines.slice(8)).to.deep.equal(['[01:15] completed', '']);
  });

  it('rewrites one line of a terminal', () => {
    const { progress, text } = watch(true);
    clock.tick(2000);
    progress.finish('failed');
    expect(text()).to.equal('svc.json\n\rrunning 00:01\rrunning 00:02\rfailed 00:02 \n');
  });

  it('shows no control characters, and at most 128 bytes of a name', () => {
    expect(watch(false, '/a/b\u001b[2J\n.json').text()).to.equal('[00:00] preparing b?[2J?.json\n');
    expect(watch(false, 'é'.repeat(100)).text()).to.equal(`[00:00] preparing ${'é'.repeat(64)}\n`);
  });

  it('a writer that fails is left alone', () => {
    let calls = 0;
    const progress = startProgress({
      document: 'a', isTerminal: false, now: () => clock.now, write: () => { calls += 1; throw new Error('gone'); },
    });
    clock.tick(60_000);
    expect(calls).to.equal(1);
    progress.finish('failed');
  });
});
