import { expect } from 'chai';
import type { RunRow } from '../../supervisor/api/history.ts';
import { runsTable } from './runs-table.ts';

const GOOD: RunRow = {
  run_ref: `cmd-${'1'.repeat(26)}`,
  at: '2030-01-02T03:04:05.000006Z',
  status: 'ok',
  code: null,
  interrupted: false,
  artifact_class: 'normal',
  duration_ms: 2340,
  model_calls: 2,
  tokens: { input: 3000, output: 19 },
  cost_microusd: 12_300,
  input: 'orders.json',
};
const FAILED: RunRow = {
  ...GOOD,
  run_ref: `cmd-${'2'.repeat(26)}`,
  status: 'error',
  code: 'run_timeout',
  duration_ms: null,
  model_calls: null,
  tokens: null,
  cost_microusd: null,
  input: null,
};

function table(runs: readonly RunRow[], width: number, total = runs.length, failedOnly = false): string {
  return runsTable({ runs, total, failedOnly }, { colour: false, width });
}

describe('the table of svc runs (first-day.md §1)', () => {
  it('has reference, time, status or code, duration, calls, tokens, cost and input', () => {
    expect(table([GOOD, FAILED], 200)).to.equal(
      [
        'RUN                             WHEN (UTC)           STATUS        TIME  CALLS  TOKENS     COST  INPUT',
        'cmd-11111111111111111111111111  2030-01-02 03:04:05  ok           2.3 s      2    3019  $0.0123  orders.json',
        'cmd-22222222222222222222222222  2030-01-02 03:04:05  run_timeout      -      -       -        -  -',
        '',
      ].join('\n'),
    );
  });

  it('says of a run that a signal ended that it was interrupted', () => {
    const row = { ...FAILED, code: 'internal_error', interrupted: true };
    expect(table([row], 200))
      .to.include('  interrupted  ')
      .and.not.include('internal_error');
  });

  it('has references that are short and still usable where a line has no room', () => {
    expect(table([GOOD], 100)).to.include('cmd-111111111111  2030-01-02');
  });

  it('says what there is besides', () => {
    expect(table([], 80)).to.equal('No runs yet.\n');
    expect(table([], 80, 3, true)).to.equal('No run failed.\n');
    expect(table([GOOD], 200, 20_000)).to.include('1 of 20000 runs; --limit N lists more\n');
  });
});
