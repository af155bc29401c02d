import { expect } from 'chai';
import { CATALOGUE, DIAGNOSTIC_CODES } from './catalogue.ts';
import { wholeMatch } from './grammar.ts';
import { MESSAGE_LENGTH_MAX } from './messages/admitted.ts';
import { OPERATION_OCCURRENCES } from './vocabulary.ts';

const ROWS = Object.entries(CATALOGUE);

describe('the diagnostic catalogue', () => {
  it('has every code of the enumeration, in its order', () => {
    expect(Object.keys(CATALOGUE)).to.deep.equal([...DIAGNOSTIC_CODES]);
    expect(DIAGNOSTIC_CODES).to.have.lengthOf(183);
  });

  it('gives each phase the exit status of runtime.md §1', () => {
    const byPhase: Record<string, readonly number[]> = {
      arguments: [2],
      project: [3],
      host: [3],
      application: [3],
      bundle: [3],
      provider_declaration: [3],
      destination: [7],
      local_preflight: [4],
      active_preflight: [4],
      provider_acquisition: [4],
      execution: [5, 6, 7],
      result_cleanup: [7],
      publication: [7],
      internal: [70],
    };
    for (const [code, row] of ROWS) for (const phase of row.phases) expect(byPhase[phase], code).to.include(row.exit);
  });

  it('splits the execution phase into failures, limits and lost sinks', () => {
    const execution = ROWS.filter(([, row]) => row.phases.includes('execution'));
    const withExit = (exit: number) => execution.filter(([, row]) => row.exit === exit).map(([code]) => code);
    expect(withExit(6)).to.have.members([
      'capability_quota_exceeded',
      'runtime_limit_exceeded',
      'turn_limit_exceeded',
      'model_output_truncated',
      'run_timeout',
    ]);
    expect(withExit(7)).to.have.members([
      'event_capture_limit_exceeded',
      'event_sink_unavailable',
      'inspection_capture_limit_exceeded',
      'inspection_sink_unavailable',
    ]);
  });

  it('marks exactly the retryable codes of runtime.md §13', () => {
    expect(ROWS.filter(([, row]) => row.retryable).map(([code]) => code)).to.have.members([
      'schema_validation_unavailable',
      'authorization_unavailable',
      'connectivity_unavailable',
      'connectivity_rate_limited',
      'provider_acquisition_timeout',
      'provider_endpoint_connection_refused',
      'llm_rate_limited',
      'llm_timeout',
      'llm_provider_unavailable',
    ]);
  });

  it('allows a span only where a source can stand', () => {
    for (const [code, row] of ROWS) {
      if (row.span === 'with_source')
        expect(
          row.sources.some((source) => source !== null),
          code,
        ).to.equal(true);
    }
  });

  it('uses only pairings of operation and occurrence that the general shape has', () => {
    for (const [code, row] of ROWS) {
      for (const subject of row.subjects) {
        if (subject === null) continue;
        const general = OPERATION_OCCURRENCES[subject.operation];
        expect(general === 'either' || general === subject.occurrence, `${code}: ${subject.operation}`).to.equal(true);
      }
    }
  });

  it('keeps generic texts short and free of line breaks, and every pattern compilable', () => {
    for (const [code, row] of ROWS) {
      expect(row.message.generic.length, code).to.be.within(1, MESSAGE_LENGTH_MAX);
      expect(row.message.generic, code).to.match(/^[ -~]+$/);
      for (const form of row.message.forms) expect(wholeMatch(form.pattern).test('\n'), code).to.equal(false);
    }
  });
});
