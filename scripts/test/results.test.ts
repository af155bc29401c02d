import { expect } from 'chai';
import {
  advance,
  findFault,
  parseEvents,
  startProgress,
  type Progress,
  type SuiteResult,
  type TestEvent,
} from './results.ts';

function follow(
  files: readonly string[],
  events: readonly TestEvent[],
): { progress: Progress; done: readonly SuiteResult[] } {
  let progress = startProgress(files, 0);
  const done: SuiteResult[] = [];
  for (const event of events) {
    const advanced = advance(progress, event);
    ({ progress } = advanced);
    done.push(...advanced.done);
  }
  return { progress, done };
}

const WELL = { how: 'status 0', isWell: true, lastWords: '' };
const BADLY = { how: 'status 1', isWell: false, lastWords: 'the last words' };

describe('what became of the suites of a process', () => {
  it('is reported as each is done, with its share of the time of loading', () => {
    const { progress, done } = follow(
      ['a', 'b'],
      [
        { event: 'loaded', at: 2000, processorMs: 1000 },
        { event: 'passed', file: 'a' },
        { event: 'failed', file: 'a', account: 'told' },
        { event: 'done', at: 5000, processorMs: 2500, file: 'a' },
        { event: 'passed', file: 'b' },
        { event: 'done', at: 6000, processorMs: 3000, file: 'b' },
        { event: 'ended', at: 6000, processorMs: 3000 },
      ],
    );
    expect(done).to.deep.equal([
      { file: 'a', passed: 1, failures: ['told'], seconds: 4, processorSeconds: 2 },
      { file: 'b', passed: 1, failures: [], seconds: 2, processorSeconds: 1 },
    ]);
    expect(progress).to.deep.include({ left: [], isComplete: true });
  });

  it('counts tests outside of any block, which mocha runs first', () => {
    const { done } = follow(
      ['a', 'b'],
      [
        { event: 'passed', file: 'b' },
        { event: 'passed', file: 'a' },
        { event: 'done', at: 1, processorMs: 0, file: 'a' },
        { event: 'passed', file: 'b' },
        { event: 'done', at: 1, processorMs: 0, file: 'b' },
      ],
    );
    expect(done.map(({ file, passed }) => [file, passed])).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('has a suite without tests at the end', () => {
    const { done } = follow(
      ['a'],
      [
        { event: 'loaded', at: 0, processorMs: 0 },
        { event: 'ended', at: 0, processorMs: 0 },
      ],
    );
    expect(done).to.deep.equal([{ file: 'a', passed: 0, failures: [], seconds: 0, processorSeconds: 0 }]);
  });
});

describe('a process of tests', () => {
  const complete = follow(['a'], [{ event: 'ended', at: 0, processorMs: 0 }]).progress;

  it('has no fault when it ends well, or with the failures of its suites', () => {
    expect(findFault(complete, WELL, false)).to.equal(null);
    expect(findFault(complete, BADLY, true)).to.equal(null);
  });

  it('has one when it ends badly for no failure, or before its suites', () => {
    expect(findFault(complete, BADLY, false)).to.equal('the process ended with status 1\nthe last words');
    const killed = { how: 'SIGKILL', isWell: false, lastWords: '' };
    const { progress } = follow(
      ['a', 'b', 'c'],
      [
        { event: 'passed', file: 'a' },
        { event: 'done', at: 0, processorMs: 0, file: 'a' },
      ],
    );
    expect(findFault(progress, killed, true)).to.equal('the process ended with SIGKILL, and these did not end: b c');
    expect(findFault(progress, WELL, false)).to.equal('the process ended with status 0, and these did not end: b c');
  });

  it('has one when something fails that belongs to no suite', () => {
    const { progress } = follow(
      ['a'],
      [
        { event: 'failed', file: null, account: 'told' },
        { event: 'ended', at: 0, processorMs: 0 },
      ],
    );
    expect(findFault(progress, BADLY, false)).to.equal('told');
    const late = follow(
      ['a'],
      [
        { event: 'done', at: 0, processorMs: 0, file: 'a' },
        { event: 'failed', file: 'a', account: 'late' },
        { event: 'ended', at: 0, processorMs: 0 },
      ],
    );
    expect(findFault(late.progress, BADLY, false)).to.equal('late');
  });
});

describe('the events of a process of tests', () => {
  it('are whole lines; a line that is still being written waits', () => {
    const passed = { event: 'passed', file: 'a' };
    expect(parseEvents(`${JSON.stringify(passed)}\n{"event":`)).to.deep.equal([passed]);
    expect(() => parseEvents('{"other":1}\n')).to.throw('not an event of a test: {"other":1}');
  });
});
