import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { AuthenticatedFailure } from '../../calls/broker/route.ts';
import type { IssuedRefusal, RunEnding } from '../../calls/broker/run-ending.ts';
import { endedRun, promoted } from './run-ending.ts';

const RUNTIME = { kind: 'runtime', name: 'svc-runtime' };

describe('what a refusal of this run means when the run fails with it (runtime.md §7)', () => {
  const hash = `sha256:${'0'.repeat(64)}`;
  const rows: readonly (readonly [IssuedRefusal, object])[] = [
    [
      { kind: 'quota', limit: 'mission_capability_calls', name: 'find', value: 2 },
      {
        code: 'capability_quota_exceeded',
        source: RUNTIME,
        message: 'limit mission_capability_calls of 2 capability calls was exceeded by capability find',
      },
    ],
    [
      { kind: 'alias_quota', alias: 'small', value: 2 },
      {
        code: 'capability_quota_exceeded',
        source: RUNTIME,
        message: 'limit max_calls of 2 capability calls was exceeded by model alias small',
      },
    ],
    [
      { kind: 'budget', limit: 'llm_total_tokens', value: 1, requested: 2, remaining: 1 },
      { code: 'runtime_limit_exceeded', source: RUNTIME, message: 'a runtime limit was exceeded' },
    ],
    [
      { kind: 'replay_miss', requestHash: hash },
      {
        code: 'replay_fixture_missing',
        source: RUNTIME,
        message: `no replay fixture matches this request (request_hash: ${hash})`,
      },
    ],
    [
      { kind: 'provider_lost', alias: 'files', destination: 'mission', index: 1 },
      {
        code: 'provider_failed',
        source: null,
        message: 'a provider failed during execution',
        subject: {
          kind: 'provider',
          name: 'files',
          operation: 'execution',
          occurrence: { destination: 'mission', index: 1 },
        },
      },
    ],
    [
      { kind: 'replay_miss', requestHash: null },
      { code: 'replay_fixture_missing', source: null, message: 'no replay fixture matches the workflow request' },
    ],
  ];
  for (const [refusal, expected] of rows) {
    it(`${refusal.kind} ${JSON.stringify(expected).slice(0, 60)}`, () => {
      expect(promoted(refusal)).to.deep.include(expected);
    });
  }
});

describe('runs that are ended from inside (runtime.md §6, §9, §13)', () => {
  const lastEvaluationError = { kind: 'type_error', message: 'm' } as const;
  const end = (ending: RunEnding) => endedRun(ending, { inspectionFailure: null, lastEvaluationError });
  const report = (name: AuthenticatedFailure['report'], facts: AuthenticatedFailure['facts']) =>
    end({ kind: 'authenticated', failure: { report: name, facts } });

  const rows: readonly (readonly [AuthenticatedFailure['report'], AuthenticatedFailure['facts'], object, object])[] = [
    [
      'runtime_limit',
      { limit: 'subordinate_evaluations', limit_value: 3 },
      {
        code: 'runtime_limit_exceeded',
        source: RUNTIME,
        message:
          'subordinate_evaluations limit 3 was exceeded; raise the manifest or host ceiling, or reduce total subordinate evaluations or agent turns',
      },
      { limit: 'subordinate_evaluations', limit_value: 3 },
    ],
    [
      'agent_turns',
      { agent_turns: 4, reason: 'turn-limit-exceeded' },
      {
        code: 'runtime_limit_exceeded',
        source: null,
        message:
          'agent turn limit 4 was exceeded; raise max_turns for this agent.core/run call, or reduce the work per turn',
      },
      { failure_kind: 'turn-limit', limit: 'agent_turns', limit_value: 4, limit_reason: 'turn_limit_exceeded' },
    ],
    [
      'agent_turns',
      { agent_turns: 4, reason: 'intermediate-result' },
      { code: 'runtime_limit_exceeded' },
      { limit_reason: 'intermediate_result' },
    ],
    [
      'agent_turns',
      { agent_turns: 4, reason: 'protocol-error' },
      { code: 'turn_limit_exceeded', source: null },
      { limit_reason: 'protocol_error' },
    ],
    ['agent_turns', { agent_turns: 4, reason: 'terminal-source-required' }, { code: 'turn_limit_exceeded' }, {}],
    [
      'transcript_limit',
      { limit_value: 9 },
      { code: 'runtime_limit_exceeded', message: 'a runtime limit was exceeded' },
      { failure_kind: 'transcript-limit', limit: 'max_transcript_chars', limit_value: 9 },
    ],
    [
      'transcript_limit',
      { limit: 'capability_argument_bytes', limit_value: 9 },
      { code: 'runtime_limit_exceeded', message: 'a runtime limit was exceeded' },
      { failure_kind: 'transcript-limit', limit: 'capability_argument_bytes', limit_value: 9 },
    ],
    [
      'output_truncated',
      { alias: 'small' },
      {
        code: 'model_output_truncated',
        message: 'the model of alias small stopped at its output limit',
        subject: { kind: 'provider', name: 'small', operation: 'execution', occurrence: null },
      },
      { alias: 'small' },
    ],
    [
      'output_truncated',
      { alias: 'small', max_tokens: 10, bindings: ['application_limit'] },
      {
        message:
          'the model of alias small stopped at its output limit of 10 tokens, bound by application_limit; raise llm_request_output_tokens',
      },
      { limit: 'max_tokens', limit_value: 10, limit_bindings: ['application_limit'] },
    ],
    [
      'llm_provider',
      { reason: 'rate_limited', retryable: true },
      { code: 'llm_rate_limited', source: RUNTIME },
      { failure_kind: 'llm-provider-error' },
    ],
    ['llm_provider', { reason: 'invalid_request', retryable: true }, { code: 'llm_provider_unavailable' }, {}],
    ['llm_provider', { reason: 'invalid_request', retryable: false }, { code: 'llm_request_invalid' }, {}],
    ['llm_provider', { reason: 'transport_error', retryable: false }, { code: 'llm_provider_failed' }, {}],
    [
      'llm_provider',
      { reason: 'not_found', retryable: false, request_hash: null },
      { code: 'replay_fixture_missing', source: null },
      {},
    ],
    [
      'phase_return_contract',
      { source: 'phase.json', path: '/a' },
      {
        code: 'phase_return_contract_failed',
        path: '/a',
        source: { kind: 'phase_return_contract', name: 'phase.json' },
      },
      {},
    ],
    [
      'agent_config',
      { option: 'max_turns', min: 1, max: 128, value: 129 },
      {
        code: 'invalid_agent_config',
        message: 'agent option max_turns must be an integer between 1 and 128; given 129',
      },
      {},
    ],
    [
      'agent_config',
      { option: 'max_turns', min: 1, max: 128, type: 'string' },
      { message: 'agent option max_turns must be an integer between 1 and 128; given a value of type string' },
      {},
    ],
    [
      'agent_config',
      { option: 'mission', rule: 'invalid-mission' },
      { message: 'agent option mission violates rule invalid-mission' },
      {},
    ],
    [
      'agent_config',
      { option: 'max_turn', rule: 'unknown-option', nearest: 'max_turns' },
      { message: 'agent option max_turn is not known; did you mean max_turns?' },
      {},
    ],
    [
      'agent_config',
      { option: 'Odd Name', rule: 'unknown-option' },
      { message: 'an agent was configured with an option out of range' },
      {},
    ],
    ['agent_config', {}, { message: 'an agent was configured with an option out of range' }, {}],
  ];
  for (const [name, facts, error, stopped] of rows) {
    it(`${name} ${JSON.stringify(facts)}`, () => {
      const outcome = report(name, facts);
      if (outcome.kind !== 'failed') throw new Error('an execution failure ends the run');
      expect(outcome.error).to.deep.include(error);
      expect(outcome.stopped).to.deep.include(stopped);
      expect(outcome.hasReturned).to.equal(true);
      expect(outcome.lastEvaluationError).to.equal(null);
    });
  }

  it('only a turn limit after a failed program tells of that failure', () => {
    expect(report('agent_turns', { agent_turns: 1, reason: 'evaluation-error' })).to.deep.include({
      lastEvaluationError,
    });
  });

  it('a violated result contract is the guard of the result, not an execution failure', () => {
    const outcome = report('result_contract', {
      source: 'result.json',
      path: '/a',
      agent_turns: 2,
      constraint: 'type',
    });
    expect(outcome).to.have.property('kind', 'refused');
    expect(outcome)
      .to.have.property('error')
      .that.deep.includes({ code: 'result_contract_failed', path: '/a', phase: 'result_cleanup' });
    expect(outcome)
      .to.have.property('stopped')
      .that.deep.equals({ failure_kind: 'result-contract', agent_turns: 2, constraint: 'type' });
  });

  it('lost sinks end it without its own end', () => {
    expect(end({ kind: 'event_sink' })).to.deep.include({
      hasReturned: false,
      error: diagnostic('event_capture_limit_exceeded'),
    });
    const inspectionFailure = diagnostic('inspection_capture_limit_exceeded');
    expect(endedRun({ kind: 'inspection_sink' }, { inspectionFailure, lastEvaluationError: null })).to.deep.include({
      hasReturned: false,
      error: inspectionFailure,
    });
    expect(end({ kind: 'inspection_sink' })).to.have.nested.property('error.code', 'inspection_sink_unavailable');
  });
});
