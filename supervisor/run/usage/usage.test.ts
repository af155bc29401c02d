import { expect } from 'chai';
import { openLedger } from '../../calls/ledger/ledger.ts';
import { modelUsageFold } from '../../evidence/model-usage.ts';
import { NO_KERNEL } from '../../calls/kernel/interface.ts';
import { countsOf, type RunCounts } from './run-counts.ts';
import { terminalPayloadBytes } from './terminal-capacity.ts';
import { plainApplication } from '../testing/run-fixture.ts';
import { evaluationMemory, sealUsage, traceUsage, withoutModelDetail } from './usage.ts';

function emptyCounts(totalTokens: number | null = null, costMicrousd: number | null = null): RunCounts {
  const environment = { total: 1, perName: 1 };
  const ledger = openLedger({
    calls: { workflow: environment, mission: environment },
    liveTasks: 1,
    protocolErrors: 1,
    requestOutputTokens: 1,
    totalTokens,
    costMicrousd,
    deadlineAt: 1,
  });
  return countsOf({ counts: () => ledger.counts(), models: modelUsageFold() }, NO_KERNEL);
}

const COUNTS: RunCounts = {
  ...emptyCounts(),
  capabilityCalls: { 'workflow/llm-request': 2, 'mission/search': 3 },
  evaluationsByMission: { reader: 2, writer: 1 },
  protocolErrors: 4,
  sourceChecks: 5,
  memories: [
    { defined_count: 1, history_count: 2, memory_bytes: 10, history_bytes: 20 },
    { defined_count: 3, history_count: 1, memory_bytes: 100, history_bytes: 200 },
  ],
};

describe('usage record (runtime.md §11)', () => {
  it('sums missions and evaluations', () => {
    const usage = sealUsage({ remainingMs: 7, counts: COUNTS, eventsDropped: { progress: 1 } });
    expect(usage).to.deep.include({
      remaining_ms: 7,
      subordinate_evaluations: 3,
      evaluation_memory_bytes: 110,
      evaluation_history_bytes: 220,
      evaluation_continuation_bytes: 330,
      protocol_errors: 4,
      events_dropped: { progress: 1 },
    });
    expect(evaluationMemory(COUNTS)).to.deep.equal({
      bytes: 330,
      defined_count: 4,
      history_bytes: 220,
      history_count: 3,
      memory_bytes: 110,
    });
  });

  it('budgets are those the host turned on', () => {
    const usage = sealUsage({ remainingMs: 0, counts: emptyCounts(9, 8), eventsDropped: {} });
    expect(usage.llm_budget.total_tokens).to.deep.equal({
      state: 'available',
      limit: 9,
      reserved: 0,
      charged: 0,
      remaining: 9,
      refused: 0,
    });
    expect(usage.llm_budget.cost).to.include({ limit_microusd: 8, remaining_microusd: 8 });
  });

  it('in a trace calls stand by environment', () => {
    const usage = sealUsage({ remainingMs: 0, counts: COUNTS, eventsDropped: {} });
    expect(traceUsage(usage, COUNTS)).to.deep.include({
      capability_calls: { workflow: { 'llm-request': 2 }, mission: { search: 3 } },
      evaluation_missions: ['reader', 'writer'],
      subordinate_source_checks: 5,
    });
  });

  it('without a complete end nothing is said of models', () => {
    const usage = withoutModelDetail(sealUsage({ remainingMs: 0, counts: COUNTS, eventsDropped: {} }));
    expect(usage).to.include({
      llm_usage_state: 'unavailable',
      llm_usage: null,
      llm_usage_by_model: null,
      unattributed_model_calls: null,
    });
  });

  it('says nothing of models either when an event is lost that would have proven a call', () => {
    for (const type of ['capability-started', 'capability-stopped', '$overflow']) {
      expect(sealUsage({ remainingMs: 0, counts: COUNTS, eventsDropped: { [type]: 1 } })).to.have.property(
        'llm_usage_state',
        'unavailable',
      );
    }
    expect(sealUsage({ remainingMs: 0, counts: COUNTS, eventsDropped: { 'limit-exceeded': 1 } })).to.have.property(
      'llm_usage_state',
      'available',
    );
  });

  it('an empty run needs about 8 KB for its end, and each capability more (documents.md §5)', () => {
    const empty = terminalPayloadBytes(plainApplication(), []);
    expect(empty).to.be.within(4000, 10_000);
    expect(terminalPayloadBytes(plainApplication(), ['workflow/llm-request'])).to.be.greaterThan(empty);
  });
});
