import { expect } from 'chai';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { orderFailures } from './failure-order.ts';

function codes(failures: readonly Diagnostic[]): readonly string[] | null {
  const ordered = orderFailures(failures);
  return ordered === null ? null : [ordered.error, ...ordered.secondary].map(({ code }) => code);
}

function of(code: DiagnosticCode): Diagnostic {
  return code.startsWith('provider_cleanup') ? diagnostic(code, { providerActivity: true }) : diagnostic(code);
}

describe('several failures at once (runtime.md §3)', () => {
  const table: readonly (readonly [string, readonly DiagnosticCode[], readonly string[]])[] = [
    ['by rank', ['trace_publication_failed', 'event_sink_unavailable', 'workflow_failed', 'result_invalid', 'internal_error', 'provider_cleanup_failed'], ['provider_cleanup_failed', 'internal_error', 'result_invalid', 'workflow_failed', 'event_sink_unavailable', 'trace_publication_failed']],
    ['a cleanup that ran out of time before one that failed, and only one of them', ['provider_cleanup_failed', 'provider_cleanup_timeout'], ['provider_cleanup_timeout']],
    ['of one rank by the published enumeration', ['run_timeout', 'workflow_failed'], ['workflow_failed']],
    ['one of each category: execution and preflight share theirs', ['capability_requirement_missing', 'run_timeout'], ['run_timeout']],
    ['one of each category: both sinks', ['inspection_sink_unavailable', 'event_capture_limit_exceeded'], ['event_capture_limit_exceeded']],
    ['one of each category: publication', ['destination_collision', 'trace_publication_failed'], ['trace_publication_failed']],
    ['duplicates once', ['workflow_failed', 'workflow_failed'], ['workflow_failed']],
  ];
  for (const [rule, given, expected] of table) {
    it(rule, () => {
      expect(codes(given.map(of))).to.deep.equal(expected);
      expect(codes(given.toReversed().map(of))).to.deep.equal(expected);
    });
  }

  it('nothing failed', () => expect(codes([])).to.equal(null));
});
