import { expect } from 'chai';
import { inLimitRange, LIMITS } from './catalogue.ts';

/** The table of documents.md §5: unit, default, installed ceiling, range, and what is unusual. */
const TABLE = `
run_duration_ms ms 30000 1800000 1..2592000000
workflow_timeout_ms ms 30000 1800000 1..2592000000
evaluation_timeout_ms ms 30000 600000 1..2592000000
evaluation_admission_timeout_ms ms 10000 600000 1..2592000000
parallel_timeout_ms ms 60000 600000 1..2592000000
workflow_heap_words words 8000000 8000000 1..2592000000
evaluation_heap_words words 1250000 1250000 1..2592000000
provider_heap_words words 5000000 5000000 1..2592000000
live_provider_tasks count 8 8 1..2592000000
llm_request_output_tokens count 4096 65536 1..1000000
llm_request_timeout_ms ms 120000 120000 100..1800000
workflow_capability_calls count 256 4096 1..2592000000
workflow_capability_calls_per_name count 128 2048 1..2592000000
mission_capability_calls count 256 4096 1..2592000000
mission_capability_calls_per_name count 128 2048 1..2592000000
subordinate_evaluations count 128 2048 1..2592000000
subordinate_source_checks count 128 2048 1..2592000000
protocol_errors count 64 512 1..2592000000
entry_source_bytes bytes 262144 4000000 1..2592000000
subordinate_source_bytes bytes 131072 2000000 1..2592000000
evaluation_memory_bytes bytes 2000000 32000000 1..2592000000
evaluation_history_bytes bytes 1000000 16000000 1..2592000000
capability_argument_bytes bytes 262144 4000000 1..2592000000
capability_result_bytes bytes 1000000 16000000 1..2592000000
terminal_result_bytes bytes 1000000 16000000 1..2592000000
event_payload_bytes bytes 262144 4000000 1..2592000000
normal_event_count count 256 4096 3..2592000000
normal_event_bytes bytes 4000000 64000000 1..2592000000
llm_total_tokens count off off 1..9007199254740991 optional
llm_cost_microusd count off off 1..9007199254740991 optional
workflow_loop_iterations count off off 1..2592000000 optional
evaluation_loop_iterations count off off 1..2592000000 optional
local_preflight_timeout_ms ms 5000 5000 100..30000 installed
selection_validation_timeout_ms ms 5000 5000 100..30000 installed
provider_cleanup_timeout_ms ms 5000 5000 100..30000 installed
doctor_connectivity_timeout_ms ms 10000 10000 100..30000 installed no-identity
`;

describe('the limit catalogue', () => {
  it('is the table of documents.md §5', () => {
    const lines = LIMITS.map((row) =>
      [
        row.name,
        row.unit,
        row.default ?? 'off',
        row.ceiling ?? 'off',
        `${row.minimum}..${row.maximum}`,
        ...(row.scope === 'narrowable' ? [] : [row.scope]),
        ...(row.identity ? [] : ['no-identity']),
      ].join(' '),
    );
    expect(lines).to.deep.equal(TABLE.trim().split('\n'));
  });

  it('has values within their own ranges and a sentence for each', () => {
    expect(new Set(LIMITS.map((row) => row.name)).size).to.equal(LIMITS.length);
    for (const row of LIMITS) {
      expect(row.doc, row.name).to.match(/^[A-Z].*[^.]\.$/);
      for (const value of [row.default, row.ceiling]) {
        expect(value === null || inLimitRange(row, value), row.name).to.equal(true);
      }
      expect((row.default ?? 0) <= (row.ceiling ?? 0), row.name).to.equal(true);
    }
  });

  it('bounds what a document may write', () => {
    for (const row of LIMITS) {
      const admitted = [row.minimum, row.minimum + 1, row.maximum - 1, row.maximum];
      const refused = [row.minimum - 1, row.maximum + 1, row.minimum + 0.5, Number.NaN, Infinity, -row.minimum];
      expect(
        admitted.filter((value) => !inLimitRange(row, value)),
        row.name,
      ).to.deep.equal([]);
      expect(
        refused.filter((value) => inLimitRange(row, value)),
        row.name,
      ).to.deep.equal([]);
    }
  });
});
