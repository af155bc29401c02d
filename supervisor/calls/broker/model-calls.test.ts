import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { Capability, RoutedModel } from './capability.ts';
import { capability, dataOf, failed, harness, value, type TestOutcome } from './testing/broker-harness.ts';

const OK = { status: 'ok' };

describe('model calls (runtime.md §5 steps 6 to 10, §11)', () => {
  const MODEL: RoutedModel = {
    alias: 'small',
    installationRevision: 'r1',
    resolvedModel: 'v:m',
    maxCalls: 2048,
    isLive: true,
    terms: { kind: 'fixed', outputTokens: 10, tokens: 40, costMicrousd: 30 },
  };
  const routed = (target: Partial<Capability> & { answer?: () => TestOutcome }, model: Partial<RoutedModel> = {}) =>
    capability({
      name: 'llm-request',
      route: (input) => ({
        ok: true,
        target: capability(target),
        request: SerializedJson.object([...input.value].filter(([key]) => key !== 'model')),
        model: { ...MODEL, ...model },
      }),
    });
  const used = (input: number, output: number): TestOutcome => ({
    kind: 'value',
    value: SerializedJson.of('hi'),
    usage: { input, output, total_cost: { currency: 'USD', microunits: 5 } },
    finish: { reason: 'length', outputLimit: { value: 10, bindings: ['application_limit'] } },
  });
  const HOST = { llm_total_tokens: 100, llm_cost_microusd: 100 };

  it('are routed, counted by alias and model, and traced with what they used', async () => {
    const { open, call, broker, events, records } = harness({
      host: HOST,
      capabilities: [routed({ answer: () => used(20, 10) })],
    });
    expect(await call(open(), 'llm-request', { model: 'small', messages: [] })).to.deep.equal({ ...OK, value: 'hi' });
    expect(dataOf(events[0])).to.deep.include({ name: 'llm-request', alias: 'small', installation_revision: 'r1' });
    expect(dataOf(events[1])).to.have.property('finish_reason', 'length');
    expect(JSON.stringify(dataOf(events[1])['output_limit'])).to.equal(
      '{"name":"max_tokens","value":10,"bindings":["application_limit"]}',
    );
    expect(dataOf(records[0]))
      .to.have.property('request_hash')
      .that.matches(/^sha256:[0-9a-f]{64}$/);
    expect(broker.models.spend()).to.deep.equal({
      state: 'available',
      input: 20,
      output: 10,
      total_cost: { currency: 'USD', microunits: 5 },
    });
    expect(broker.models.detail().llm_usage_by_model).to.have.length(1);
    await broker.close();
    expect(broker.counts().tokens).to.deep.equal({
      limit: 100,
      reserved: 0,
      charged: 30,
      refused: 0,
      state: 'available',
    });
  });

  it('say which alias answered, where the answer has members', async () => {
    const { open, call } = harness({
      capabilities: [routed({ answer: () => value({ content: 'hi' }) })],
    });
    expect(await call(open(), 'llm-request')).to.deep.equal({ ...OK, value: { content: 'hi', model: 'small' } });
  });

  const refusals: readonly (readonly [string, Capability, string, string])[] = [
    [
      'an unknown alias',
      capability({ name: 'llm-request', route: () => ({ ok: false, reason: 'unknown_model_alias' }) }),
      'protocol_error',
      'unknown_model_alias',
    ],
    [
      'a request that its installation refuses',
      routed({ accepts: () => false }),
      'protocol_error',
      'invalid_arguments',
    ],
    ['a request that is too large for it', routed({ argumentBytes: 1 }), 'protocol_error', 'argument_exceeded'],
    [
      'a use that cannot be bounded',
      routed({}, { terms: null }),
      'capability_unavailable',
      'reservation_attestation_unavailable',
    ],
    [
      'output that is not authorised',
      routed({}, { terms: { kind: 'fixed', outputTokens: null, tokens: 1, costMicrousd: 0 } }),
      'capability_unavailable',
      'llm_output_authorization_invalid',
    ],
    [
      'more than is left',
      routed({}, { terms: { kind: 'fixed', outputTokens: 10, tokens: 101, costMicrousd: 0 } }),
      'limit_exceeded',
      'llm_total_tokens',
    ],
    [
      'a dearer one than is left',
      routed({}, { terms: { kind: 'fixed', outputTokens: 10, tokens: 1, costMicrousd: 101 } }),
      'limit_exceeded',
      'llm_cost_microusd',
    ],
  ];
  for (const [title, model, kind, reason] of refusals) {
    it(`refuse ${title}, and reserve nothing`, async () => {
      const { open, call, broker, events } = harness({ host: HOST, capabilities: [model] });
      expect(await call(open(), 'llm-request', { model: 'small' })).to.include({ kind, reason });
      expect(broker.counts()).to.deep.include({ capabilityCalls: {} });
      expect(broker.counts().tokens).to.include({ reserved: 0, charged: 0 });
      expect(events.filter(({ type }) => type === 'capability-started')).to.deep.equal([]);
    });
  }

  it('name the alias in their errors, and are known by the budget that refused them', async () => {
    const { open, call, broker } = harness({
      host: HOST,
      capabilities: [routed({}, { terms: { kind: 'fixed', outputTokens: 10, tokens: 101, costMicrousd: 0 } })],
    });
    const envelope = await call(open(), 'llm-request');
    expect(envelope).to.deep.equal({
      status: 'error',
      kind: 'limit_exceeded',
      reason: 'llm_total_tokens',
      'retryable?': false,
      model: 'small',
      details: { limit: 'llm_total_tokens', limit_value: 100, requested: 101, remaining: 100 },
    });
    expect(broker.issued(canonicalJson(jsonFromPlain(envelope) ?? null))).to.deep.equal({
      kind: 'budget',
      limit: 'llm_total_tokens',
      value: 100,
      requested: 101,
      remaining: 100,
    });
  });

  it('that used more than they promised fail, and so do all later ones', async () => {
    const { open, call, broker } = harness({ host: HOST, capabilities: [routed({ answer: () => used(31, 10) })] });
    const scope = open();
    expect(await call(scope, 'llm-request')).to.include({
      kind: 'provider_error',
      reason: 'reservation_bound_exceeded',
      model: 'small',
    });
    expect(await call(scope, 'llm-request')).to.include({ reason: 'llm_total_tokens' });
    expect(broker.counts().tokens).to.include({ state: 'overrun', charged: 41, refused: 1 });
  });

  it('that replay touch no budget', async () => {
    const { open, call, broker } = harness({
      host: HOST,
      capabilities: [routed({ answer: () => used(500, 500) }, { isLive: false, terms: null })],
    });
    expect(await call(open(), 'llm-request')).to.include(OK);
    expect(broker.counts().tokens).to.include({ charged: 0, state: 'available' });
  });

  it('that fail are evidence for one report of the same class and flag', async () => {
    const requestHash = `sha256:${'0'.repeat(64)}`;
    const { open, call, broker } = harness({
      capabilities: [
        routed({ answer: () => failed({ reason: 'not_found', replayMiss: { requestHash } }) }, { isLive: false }),
      ],
    });
    await call(open(), 'llm-request');
    expect(broker.failures.isReplayMiss(requestHash)).to.equal(true);
    expect(broker.failures.consume({ reason: 'not_found', retryable: true })).to.equal(false);
    expect([
      broker.failures.consume({ reason: 'not_found', retryable: false }),
      broker.failures.consume({ reason: 'not_found', retryable: false }),
    ]).to.deep.equal([true, false]);
  });
});
