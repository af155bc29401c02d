import { expect } from 'chai';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { compileContract } from '../../../documents/contracts/compile.ts';
import type { Contract } from '../../../documents/contracts/load.ts';
import { identityDigest } from '../../../documents/digest.ts';
import { fakeMission, fault, type FakeMission } from '../testing/mission-fixture.ts';

function contract(name: string, schema: unknown): Contract {
  const compiled = compileContract(jsonFromPlain(schema) ?? null);
  if (!compiled.ok) throw new Error(compiled.faults[0].rule);
  return {
    ...compiled.schema,
    name,
    bytes: new Uint8Array(),
    sourceHash: '0'.repeat(64),
    behaviourHash: identityDigest('svc.contract.v1', null),
  };
}

const RESULT = contract('result.json', {
  type: 'object',
  properties: { 'a-b': { type: 'integer', maximum: 9 } },
  required: ['a-b'],
});
const PHASE = contract('phase.json', { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] });
const CONTRACTS = { result: RESULT, phaseReturns: new Map([['plan', PHASE]]) };

const refused = (reason: string) => ({ kind: 'protocol_error', reason, counted: false });
const reported = (report: string, facts: Readonly<Record<string, unknown>>) => ({
  kind: 'authenticated',
  failure: { report, facts },
});

describe('kernel-check-source', () => {
  const check = async (source: string, mission: FakeMission, more: Readonly<Record<string, unknown>> = {}) =>
    mission.value('kernel-check-source', { mission: 'room', source, ...more });

  it('a valid text, with its hash and size', async () => {
    expect(await check('a', fakeMission())).to.deep.equal({
      outcome: 'valid',
      source_hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
      source_bytes: 1,
    });
  });

  it('an invalid text, with what is wrong', async () => {
    const mission = fakeMission({ programs: { a: { outcome: fault('terminal_source_required') } } });
    expect(await check('a', mission, { require: 'terminal' })).to.deep.include({
      outcome: 'invalid',
      diagnostic: { kind: 'terminal_source_required', message: 'm', details: { line: 1 } },
    });
    expect(mission.requests.at(-1)?.request).to.deep.equal({
      operation: 'check',
      source: 'a',
      tools: ['find'],
      data: ['rows'],
      terminal: true,
      continuation: null,
    });
    expect(mission.events).to.deep.equal([]);
  });

  it('no more than subordinate_source_checks; those that compile nothing are free', async () => {
    const mission = fakeMission({ limits: { subordinate_source_checks: 1, subordinate_source_bytes: 2 } });
    expect(await check('long', mission)).to.deep.include({
      outcome: 'limit_exceeded',
      reason: 'subordinate_source_bytes',
      source_bytes: 4,
    });
    expect(await check('a', mission)).to.include({ outcome: 'valid' });
    expect(await check('a', mission)).to.deep.include({
      outcome: 'limit_exceeded',
      reason: 'subordinate_source_checks',
    });
    expect(mission.kernel.counts().sourceChecks).to.equal(1);
  });

  it('is busy while a program of the mission runs, and only then', async () => {
    const hold = Promise.withResolvers<undefined>();
    const mission = fakeMission({ programs: { slow: { until: hold.promise } } });
    const running = mission.value('kernel-eval', { mission: 'room', kind: 'source', source: 'slow' });
    await new Promise(setImmediate);
    expect(await check('a', mission)).to.deep.include({ outcome: 'busy', reason: 'evaluation_in_progress' });
    expect(mission.kernel.counts().isEvaluating).to.equal(true);
    expect(await check('a', mission, { mission: 'other' })).to.include({ outcome: 'valid' });
    hold.resolve(undefined);
    await running;
    expect(mission.kernel.counts().isEvaluating).to.equal(false);
    expect(await check('a', mission)).to.include({ outcome: 'valid' });
  });

  const losses = [
    [{ status: 'timeout' }, 'compile_timeout'],
    [{ status: 'memory_exceeded' }, 'compile_memory_exceeded'],
    [{ status: 'host_lost', cause: 'killed' }, 'compile_memory_exceeded'],
    [{ status: 'cancelled' }, 'run_closed'],
  ] as const;
  for (const [outcome, reason] of losses) {
    it(`${outcome.status}: ${reason}, and the isolate is not used again`, async () => {
      const mission = fakeMission({ programs: { a: { outcome } } });
      expect(await check('a', mission)).to.deep.include({ outcome: 'limit_exceeded', reason });
      expect(mission.live()).to.equal(0);
    });
  }

  it('once more where its process was lost: nothing of the text runs, so that nobody can tell', async () => {
    const mission = fakeMission({
      programs: { a: { firstCheck: { status: 'host_lost', cause: 'killed', signal: 'SIGKILL' } } },
    });
    expect(await check('a', mission)).to.include({ outcome: 'valid' });
    expect(
      mission.requests.filter(({ request }) => request.operation === 'check').map(({ isolate }) => isolate),
    ).to.deep.equal([1, 2]);
    expect([mission.kernel.counts().sourceChecks, mission.live()]).to.deep.equal([1, 1]);
  });

  it('only once where its process broke the protocol, or time is up', async () => {
    for (const [firstCheck, reason] of [
      [{ status: 'host_lost', cause: 'protocol_violation' }, 'compile_memory_exceeded'],
      [{ status: 'timeout' }, 'compile_timeout'],
    ] as const) {
      const mission = fakeMission({ programs: { a: { firstCheck } } });
      expect(await check('a', mission)).to.include({ outcome: 'limit_exceeded', reason });
    }
  });

  it('after the deadline of the run, and after its end', async () => {
    const mission = fakeMission({ limits: { run_duration_ms: 10 } });
    mission.elapse(10);
    expect(await check('a', mission)).to.include({ reason: 'deadline_expired' });
    await mission.kernel.close();
    expect(await check('a', mission)).to.include({ reason: 'run_closed' });
  });

  it('takes exact requests only', async () => {
    for (const input of [
      {},
      { mission: 'room', source: 'a', require: 'all' },
      { mission: 'room', source: 'a', extra: 1 },
      { mission: 'room' },
    ]) {
      expect(await fakeMission().call('kernel-check-source', input)).to.deep.equal({
        kind: 'protocol_error',
        reason: 'invalid_kernel_check_source_request',
        counted: true,
      });
    }
    expect(await fakeMission().call('kernel-check-source', { mission: 'x', source: 'a' })).to.include({
      reason: 'unknown_mission',
    });
  });
});

describe('the texts of missions', () => {
  it('as they were frozen', async () => {
    expect(await fakeMission().call('kernel-mission-inventory', { mission: 'room' })).to.deep.equal({
      kind: 'value',
      value: 'inventory of room',
    });
    expect(await fakeMission().call('kernel-mission-model-context', { mission: 'other' })).to.deep.equal({
      kind: 'value',
      value: 'context of other',
    });
    expect(await fakeMission().call('kernel-mission-inventory', { mission: 'room', x: 1 })).to.include({
      reason: 'invalid_mission_inventory_request',
      counted: true,
    });
    expect(await fakeMission().call('kernel-mission-model-context', {})).to.include({
      reason: 'invalid_mission_model_context_request',
    });
    expect(await fakeMission().call('kernel-mission-inventory', { mission: 'constructor' })).to.include({
      reason: 'unknown_mission',
    });
  });
});

describe('kernel-result-contract', () => {
  it('judges values, by the JSON of their own keys', async () => {
    const mission = fakeMission({ contracts: CONTRACTS });
    expect(await mission.value('kernel-result-contract', { value: { 'a-b': 1 } })).to.deep.equal({
      'enforced?': true,
      'valid?': true,
    });
    const verdict = await mission.value('kernel-result-contract', { value: { 'a-b': 10 } });
    expect(verdict).to.include({ 'enforced?': true, 'valid?': false });
    expect(verdict['details']).to.be.an('object');
    expect(await mission.value('kernel-result-contract', { value: { n: 'x' }, phase_contract: 'plan' })).to.include({
      'valid?': true,
    });
    expect(await fakeMission().value('kernel-result-contract', { value: null })).to.deep.equal({
      'enforced?': false,
      'valid?': true,
    });
  });

  it('shows contracts as prompts do; nil without one', async () => {
    const mission = fakeMission({ contracts: CONTRACTS });
    expect(await mission.call('kernel-result-contract', { presentation: true })).to.deep.equal({
      kind: 'value',
      value: RESULT.normalised,
    });
    expect(await mission.call('kernel-result-contract', { presentation: true, phase_contract: 'plan' })).to.deep.equal({
      kind: 'value',
      value: PHASE.normalised,
    });
    expect(await fakeMission().call('kernel-result-contract', { presentation: true })).to.deep.equal({
      kind: 'value',
      value: null,
    });
  });

  it('refuses other requests without counting them, and unknown names', async () => {
    for (const input of [
      {},
      { presentation: false },
      { value: 1, presentation: true },
      { value: 1, phase_contract: 1 },
    ]) {
      expect(await fakeMission().call('kernel-result-contract', input)).to.deep.equal(
        refused('invalid_result_contract_request'),
      );
    }
    expect(await fakeMission().call('kernel-result-contract', { value: 1, phase_contract: 'x' })).to.deep.equal({
      kind: 'protocol_error',
      reason: 'unknown_phase_return_contract',
      counted: true,
    });
  });
});

describe('private reports need the evidence of the kernel (runtime.md §6)', () => {
  const phase = { phase_index: 0, mission: 'room', contract: 'plan', max_turns: 4, mode: 'phased' };
  const range = { option: 'max_turns', min: 1, max: 2048 };
  const cases: readonly (readonly [route: string, given: Readonly<Record<string, unknown>>, expected: object])[] = [
    [
      'kernel-runtime-limit-failure',
      { agent_turns: 4, reason: 'intermediate-result' },
      reported('agent_turns', { agent_turns: 4, reason: 'intermediate-result' }),
    ],
    [
      'kernel-runtime-limit-failure',
      { agent_turns: 2048, reason: 'evaluation-error', evaluation_id: 'mission-evaluation-1' },
      reported('agent_turns', { agent_turns: 2048, reason: 'evaluation-error' }),
    ],
    [
      'kernel-runtime-limit-failure',
      { agent_turns: 2049, reason: 'intermediate-result' },
      refused('invalid_runtime_limit_failure'),
    ],
    [
      'kernel-runtime-limit-failure',
      { agent_turns: 0, reason: 'intermediate-result' },
      refused('invalid_runtime_limit_failure'),
    ],
    ['kernel-runtime-limit-failure', { agent_turns: 4, reason: 'boredom' }, refused('invalid_runtime_limit_failure')],
    [
      'kernel-runtime-limit-failure',
      { agent_turns: 4, reason: 'protocol-error', extra: 1 },
      refused('invalid_runtime_limit_failure'),
    ],
    [
      'kernel-runtime-limit-failure',
      { max_transcript_chars: 1_000_000 },
      reported('transcript_limit', { limit_value: 1_000_000 }),
    ],
    ['kernel-runtime-limit-failure', { max_transcript_chars: 1_000_001 }, refused('invalid_runtime_limit_failure')],
    [
      'kernel-runtime-limit-failure',
      { request_bytes: true },
      reported('transcript_limit', { limit: 'capability_argument_bytes', limit_value: 262_144 }),
    ],
    ['kernel-runtime-limit-failure', { request_bytes: false }, refused('invalid_runtime_limit_failure')],
    ['kernel-runtime-limit-failure', { alias: 'small' }, reported('output_truncated', { alias: 'small' })],
    [
      'kernel-runtime-limit-failure',
      { alias: 'small', max_tokens: 10, bindings: ['application_limit', 'remaining_context'] },
      reported('output_truncated', {
        alias: 'small',
        max_tokens: 10,
        bindings: ['application_limit', 'remaining_context'],
      }),
    ],
    ['kernel-runtime-limit-failure', { alias: 'small', max_tokens: 10 }, refused('invalid_runtime_limit_failure')],
    [
      'kernel-runtime-limit-failure',
      { alias: 'small', max_tokens: 10, bindings: ['remaining_context', 'application_limit'] },
      refused('invalid_runtime_limit_failure'),
    ],
    [
      'kernel-runtime-limit-failure',
      { alias: 'small', max_tokens: 10, bindings: ['configured', 'configured'] },
      refused('invalid_runtime_limit_failure'),
    ],
    ['kernel-runtime-limit-failure', { alias: 'no alias' }, refused('invalid_runtime_limit_failure')],
    ['kernel-runtime-limit-failure', {}, refused('invalid_runtime_limit_failure')],
    [
      'kernel-result-contract-failure',
      { value: { 'a-b': 10 }, agent_turns: 3 },
      reported('result_contract', {
        source: 'result.json',
        path: '/a-b',
        message: 'the result violates its contract: rule maximum; bound: 9; after 3 agent turns',
        constraint: 'maximum',
        agent_turns: 3,
      }),
    ],
    [
      'kernel-result-contract-failure',
      { value: { 'a-b': 9 }, agent_turns: 3 },
      refused('invalid_result_contract_failure'),
    ],
    ['kernel-result-contract-failure', { value: { 'a-b': 10 } }, refused('invalid_result_contract_failure')],
    [
      'kernel-phase-return-contract-failure',
      { ...phase, completion: 'invalid-return', value: {} },
      reported('phase_return_contract', {
        source: 'phase.json',
        path: '/n',
        message: 'the phase return value violates its contract: rule required',
        constraint: 'required',
        agent_turns: 4,
      }),
    ],
    [
      'kernel-phase-return-contract-failure',
      { ...phase, completion: 'invalid-return', value: { n: '' } },
      refused('invalid_result_contract_failure'),
    ],
    [
      'kernel-phase-return-contract-failure',
      { ...phase, completion: 'missing-return' },
      reported('phase_return_contract', { source: 'phase.json', agent_turns: 4 }),
    ],
    [
      'kernel-phase-return-contract-failure',
      { ...phase, completion: 'missing-return', value: {} },
      refused('invalid_result_contract_failure'),
    ],
    [
      'kernel-phase-return-contract-failure',
      { ...phase, contract: 'x', completion: 'missing-return' },
      refused('unknown_phase_return_contract'),
    ],
    ['kernel-agent-config-failure', { ...range, value: 2049 }, reported('agent_config', { ...range, value: 2049 })],
    ['kernel-agent-config-failure', { ...range, value: 0 }, reported('agent_config', { ...range, value: 0 })],
    ['kernel-agent-config-failure', { ...range, value: 2048 }, refused('invalid_agent_config_failure')],
    ['kernel-agent-config-failure', { ...range, value: 2n ** 63n }, refused('invalid_agent_config_failure')],
    ['kernel-agent-config-failure', { ...range, max: 129, value: 3000 }, refused('invalid_agent_config_failure')],
    [
      'kernel-agent-config-failure',
      { option: 'max_turn', rule: 'unknown-option', known: ['mission', 'max_turns'] },
      reported('agent_config', { option: 'max_turn', rule: 'unknown-option', nearest: 'max_turns' }),
    ],
    [
      'kernel-agent-config-failure',
      { option: 'colour', rule: 'unknown-option', known: ['mission'] },
      reported('agent_config', { option: 'colour', rule: 'unknown-option' }),
    ],
    [
      'kernel-agent-config-failure',
      { option: 'mission', rule: 'unknown-option', known: ['mission'] },
      refused('invalid_agent_config_failure'),
    ],
    ['kernel-agent-config-failure', { ...range, type: 'float' }, reported('agent_config', { ...range, type: 'float' })],
    ['kernel-agent-config-failure', { ...range, type: 'secret' }, refused('invalid_agent_config_failure')],
    [
      'kernel-agent-config-failure',
      { option: '__proto__', min: 1, max: 2, value: 3 },
      refused('invalid_agent_config_failure'),
    ],
    [
      'kernel-agent-config-failure',
      { option: 'phases', rule: 'invalid-phases' },
      reported('agent_config', { option: 'phases', rule: 'invalid-phases' }),
    ],
    [
      'kernel-agent-config-failure',
      { option: 'mission', rule: 'invalid-phases' },
      refused('invalid_agent_config_failure'),
    ],
    [
      'kernel-llm-provider-failure',
      { kind: 'llm-provider-error', reason: { reason: 'rate_limited', 'retryable?': true } },
      refused('invalid_llm_provider_failure'),
    ],
    ['kernel-agent-protocol-error', {}, { kind: 'value', value: true }],
    ['kernel-agent-protocol-error', { x: 1 }, refused('invalid_agent_protocol_error')],
  ];
  for (const [route, input, expected] of cases) {
    it(`${route} ${JSON.stringify(input, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member))}`, async () => {
      expect(await fakeMission({ contracts: CONTRACTS }).call(route, input)).to.deep.equal(expected);
    });
  }

  it('a provider failure is believed once, with its own class and flag', async () => {
    const mission = fakeMission();
    const error = {
      kind: 'provider_error',
      reason: 'rate_limited',
      retryable: true,
      details: null,
      isIndeterminate: false,
      model: null,
      retryAfterMs: null,
    };
    mission.failures.remember(error, { kind: 'replay_miss', requestHash: `sha256:${'a'.repeat(64)}` });
    const claim = (more: object) =>
      mission.call('kernel-llm-provider-failure', {
        kind: 'llm-provider-error',
        reason: { reason: 'rate_limited', 'retryable?': true, ...more },
      });
    expect(await claim({ 'retryable?': false })).to.deep.equal(refused('invalid_llm_provider_failure'));
    expect(await claim({ request_hash: `sha256:${'b'.repeat(64)}` })).to.deep.equal(
      refused('invalid_llm_provider_failure'),
    );
    expect(await claim({ request_hash: `sha256:${'a'.repeat(64)}` })).to.deep.equal(
      reported('llm_provider', { reason: 'rate_limited', retryable: true, request_hash: `sha256:${'a'.repeat(64)}` }),
    );
    expect(await claim({})).to.deep.equal(refused('invalid_llm_provider_failure'));
  });

  it('a request beyond a sequence of fixtures is a miss without a digest', async () => {
    const mission = fakeMission();
    const error = {
      kind: 'provider_error',
      reason: 'not_found',
      retryable: false,
      details: null,
      isIndeterminate: false,
      model: null,
      retryAfterMs: null,
    };
    const claim = (reason: object) =>
      mission.call('kernel-llm-provider-failure', { kind: 'llm-provider-error', reason });
    mission.failures.remember(error, null);
    expect(await claim({ reason: 'not_found', 'retryable?': false })).to.deep.equal(
      reported('llm_provider', { reason: 'not_found', retryable: false }),
    );
    mission.failures.remember(error, { kind: 'replay_miss', requestHash: null });
    mission.failures.remember({ ...error, reason: 'unavailable' }, null);
    expect(await claim({ reason: 'unavailable', 'retryable?': false })).to.deep.equal(
      reported('llm_provider', { reason: 'unavailable', retryable: false }),
    );
    expect(await claim({ reason: 'not_found', 'retryable?': false })).to.deep.equal(
      reported('llm_provider', { reason: 'not_found', retryable: false, request_hash: null }),
    );
    expect(await claim({ reason: 'not_found', 'retryable?': false })).to.deep.equal(
      refused('invalid_llm_provider_failure'),
    );
  });

  it('counts the protocol errors of agents', async () => {
    const mission = fakeMission();
    for (let count = 0; count < 3; count += 1) await mission.call('kernel-agent-protocol-error', {});
    expect(mission.kernel.counts().agentProtocolErrors).to.equal(3);
  });

  const evidence = {
    status: 'subject-failure',
    kind: 'turn-limit',
    error: { ok: false, kind: 'turn-limit', reason: 'protocol-error', limit: 'agent_turns', limit_value: 4 },
  };

  it('an outcome fails with its diagnostic once, and only with its own evidence', async () => {
    const mission = fakeMission();
    const recorded = await mission.value('kernel-agent-outcome-failure', { mode: 'record-turn', evidence });
    const token = recorded['failure_token'];
    const altered = { ...evidence, error: { ...evidence.error, limit_value: 5 } };
    const consume = (facts: object, shown = token) =>
      mission.call('kernel-agent-outcome-failure', { mode: 'consume', token: shown, evidence: facts });
    expect(await consume(altered)).to.deep.equal(refused('invalid_agent_outcome_failure'));
    expect(await consume(evidence, '0'.repeat(64))).to.deep.equal(refused('invalid_agent_outcome_failure'));
    expect(await consume(evidence)).to.deep.equal(
      reported('agent_turns', { agent_turns: 4, reason: 'protocol-error' }),
    );
    expect(await consume(evidence)).to.deep.equal(refused('invalid_agent_outcome_failure'));
  });

  it('an outcome of a phase names its contract', async () => {
    const mission = fakeMission({ contracts: CONTRACTS });
    const error = {
      ok: false,
      kind: 'phase-return-contract-failed',
      reason: { contract: 'plan', constraint: 'required', violations: [{ path: '/n' }] },
    };
    const failed = { status: 'subject-failure', kind: 'phase-return-contract-failed', error };
    const { failure_token: token } = await mission.value('kernel-agent-outcome-failure', {
      mode: 'record-turn',
      evidence: failed,
    });
    expect(
      await mission.call('kernel-agent-outcome-failure', { mode: 'consume', token, evidence: failed }),
    ).to.deep.equal(reported('phase_return_contract', { source: 'phase.json', path: '/n', constraint: 'required' }));
  });

  it('stores no more than 2048 outcomes', async () => {
    const mission = fakeMission();
    for (let count = 0; count < 2048; count += 1)
      await mission.value('kernel-agent-outcome-failure', { mode: 'record-turn', evidence });
    expect(await mission.call('kernel-agent-outcome-failure', { mode: 'record-turn', evidence })).to.deep.equal(
      refused('invalid_agent_outcome_failure'),
    );
  });

  it('the last evaluation error belongs to the evaluation that is claimed', async () => {
    const failing = fault('type_error', 'E');
    if (failing.status !== 'replied' || failing.reply.outcome !== 'evaluation_error')
      throw new Error('a fault is a reply');
    const outcome = {
      ...failing,
      reply: {
        ...failing.reply,
        fault: { ...failing.reply.fault, public_error: { kind: 'type_error', message: 'inc takes a number, not nil' } },
      },
    };
    for (const [evaluationId, error] of [
      ['mission-evaluation-1', { kind: 'type_error', message: 'inc takes a number, not nil' }],
      ['mission-evaluation-2', null],
    ] as const) {
      const mission = fakeMission({ programs: { p: { outcome } } });
      await mission.value('kernel-eval', { mission: 'room', kind: 'source', source: 'p' });
      expect(mission.kernel.counts().lastEvaluationError).to.equal(null);
      await mission.call('kernel-runtime-limit-failure', {
        agent_turns: 1,
        reason: 'evaluation-error',
        evaluation_id: evaluationId,
      });
      expect(mission.kernel.counts().lastEvaluationError).to.deep.equal(error);
    }
  });
});
