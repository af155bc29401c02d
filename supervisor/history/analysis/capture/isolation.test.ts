import { expect } from 'chai';
import { isolate, type IsolationReason, type SuspectFile } from './isolation.ts';

const file = (
  runs: readonly string[],
  traces: readonly string[],
  reason: IsolationReason | null = null,
): SuspectFile => ({
  runIds: new Set(runs),
  traceIds: new Set(traces),
  reason,
});

describe('setting aside what cannot be trusted (evidence.md §5, "Isolation")', () => {
  it('leaves files that share nothing', () => {
    const files = [file(['a'], ['ta']), file(['b'], ['tb'])];
    expect(isolate(files)).to.deep.equal({ admitted: files, components: [] });
  });

  it('sets aside a bad file alone', () => {
    const good = file(['b'], ['tb']);
    expect(isolate([file(['a'], [], 'malformed_source'), good])).to.deep.equal({
      admitted: [good],
      components: [{ sources: 1, runIds: ['a'], reasons: ['malformed_source'] }],
    });
  });

  it('sets aside two files of one run, or of one trace', () => {
    expect(isolate([file(['a'], ['t1']), file(['a'], ['t2'])]).components).to.deep.equal([
      { sources: 2, runIds: ['a'], reasons: ['duplicate_run_identity'] },
    ]);
    expect(isolate([file(['b'], ['t']), file(['a'], ['t'])]).components).to.deep.equal([
      { sources: 2, runIds: ['a', 'b'], reasons: ['duplicate_run_identity'] },
    ]);
  });

  it('sets aside whatever hangs together with a bad file, over any number of steps', () => {
    const good = file(['z'], ['tz']);
    const { admitted, components } = isolate([
      file(['c'], ['t3']),
      good,
      file(['a'], ['t1'], 'unsupported_version'),
      file(['b'], ['t2', 't3']),
      file(['a', 'b'], []),
    ]);
    expect(admitted).to.deep.equal([good]);
    expect(components).to.deep.equal([
      { sources: 4, runIds: ['a', 'b', 'c'], reasons: ['duplicate_run_identity', 'unsupported_version'] },
    ]);
  });
});
