import { expect } from 'chai';
import { advance, beginPublication, type Publication, type PublicationRequest, type StepOutcome } from './protocol.ts';

const ALL: PublicationRequest = {
  requested: { trace: true, inspection: true, result: true },
  hasRecovery: false,
  hasValue: true,
  hasTrace: true,
  hasInspection: true,
};

/** Feeds outcomes until nothing is pending; missing ones are `done`. */
function run(
  request: PublicationRequest,
  outcomes: Readonly<Record<string, StepOutcome>> = {},
): { steps: string[]; end: Publication } {
  const steps: string[] = [];
  let publication = beginPublication(request);
  for (let step = publication.pending[0]; step !== undefined; step = publication.pending[0]) {
    steps.push(step);
    publication = advance(publication, outcomes[step] ?? 'done');
  }
  return { steps, end: publication };
}

describe('publication protocol (runtime.md §12)', () => {
  const table: readonly {
    readonly rule: string;
    readonly request: Partial<PublicationRequest>;
    readonly outcomes?: Readonly<Record<string, StepOutcome>>;
    readonly steps: readonly string[];
    /** trace, inspection, result. */
    readonly states: readonly [string, string, string];
    readonly failures?: readonly string[];
  }[] = [
    {
      rule: 'a normal result comes last',
      request: {},
      steps: ['publish_trace', 'publish_inspection', 'publish_result'],
      states: ['written', 'written', 'written'],
    },
    {
      rule: 'a recovered result is kept first and linked last',
      request: { hasRecovery: true },
      steps: ['keep_recovery', 'publish_trace', 'publish_inspection', 'publish_recovery'],
      states: ['written', 'written', 'written'],
    },
    {
      rule: 'a failed run removes its recovery file, then publishes its evidence',
      request: { hasRecovery: true, hasValue: false },
      steps: ['remove_recovery', 'publish_trace', 'publish_inspection'],
      states: ['written', 'written', 'not_written'],
    },
    {
      rule: 'evidence is published although the recovery file stays',
      request: { hasRecovery: true, hasValue: false },
      outcomes: { remove_recovery: 'failed' },
      steps: ['remove_recovery', 'publish_trace', 'publish_inspection'],
      states: ['written', 'written', 'not_written'],
      failures: ['recovery_cleanup_failed'],
    },
    {
      rule: 'a failure stops the chain',
      request: {},
      outcomes: { publish_trace: 'failed' },
      steps: ['publish_trace'],
      states: ['failed', 'not_written', 'not_written'],
      failures: ['trace_publication_failed'],
    },
    {
      rule: 'a trace that fails leaves the kept value',
      request: { hasRecovery: true },
      outcomes: { publish_trace: 'failed' },
      steps: ['keep_recovery', 'publish_trace'],
      states: ['failed', 'not_written', 'recovery_written'],
      failures: ['trace_publication_failed'],
    },
    {
      rule: 'an inspection that fails stops the result',
      request: {},
      outcomes: { publish_inspection: 'failed' },
      steps: ['publish_trace', 'publish_inspection'],
      states: ['written', 'failed', 'not_written'],
      failures: ['inspection_publication_failed'],
    },
    {
      rule: 'a value that cannot be kept publishes nothing',
      request: { hasRecovery: true },
      outcomes: { keep_recovery: 'failed' },
      steps: ['keep_recovery'],
      states: ['not_written', 'not_written', 'failed'],
      failures: ['result_publication_failed'],
    },
    {
      rule: 'a collision leaves the value in recovery',
      request: { hasRecovery: true },
      outcomes: { publish_recovery: 'collision' },
      steps: ['keep_recovery', 'publish_trace', 'publish_inspection', 'publish_recovery'],
      states: ['written', 'written', 'recovery_written'],
      failures: ['destination_collision'],
    },
    {
      rule: 'a link that cannot be proved is told so',
      request: { hasRecovery: true },
      outcomes: { publish_recovery: 'uncertain' },
      steps: ['keep_recovery', 'publish_trace', 'publish_inspection', 'publish_recovery'],
      states: ['written', 'written', 'finalization_uncertain'],
      failures: ['result_publication_failed'],
    },
    {
      rule: 'a collision of a normal result fails it',
      request: {},
      outcomes: { publish_result: 'collision' },
      steps: ['publish_trace', 'publish_inspection', 'publish_result'],
      states: ['written', 'written', 'failed'],
      failures: ['destination_collision'],
    },
    {
      rule: 'a normal result can be unproved too',
      request: {},
      outcomes: { publish_result: 'uncertain' },
      steps: ['publish_trace', 'publish_inspection', 'publish_result'],
      states: ['written', 'written', 'finalization_uncertain'],
      failures: ['result_publication_failed'],
    },
    {
      rule: 'a lost trace takes the inspection with it',
      request: { hasTrace: false },
      steps: ['publish_result'],
      states: ['not_written', 'not_written', 'written'],
    },
    {
      rule: 'an inspection alone needs no trace',
      request: { requested: { trace: false, inspection: true, result: false } },
      steps: ['publish_inspection'],
      states: ['not_requested', 'written', 'not_requested'],
    },
    {
      rule: 'nothing asked for, nothing done',
      request: { requested: { trace: false, inspection: false, result: false } },
      steps: [],
      states: ['not_requested', 'not_requested', 'not_requested'],
    },
  ];

  for (const { rule, request, outcomes, steps, states, failures = [] } of table) {
    it(rule, () => {
      const { steps: used, end } = run({ ...ALL, ...request }, outcomes);
      expect(used).to.deep.equal(steps);
      expect([end.states.trace, end.states.inspection, end.states.result]).to.deep.equal(states);
      expect(end.failures).to.deep.equal(failures);
    });
  }
});
