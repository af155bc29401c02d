/**
 * Failures of models as the agent reports them: each once, with the class that the provider gave (runtime.md §6, §7).
 */
import { expect } from 'chai';
import type { ProviderFailure } from '../../../contract/provider-protocol/outcome.ts';
import { failed, value } from '../../../supervisor/calls/broker/testing/broker-harness.ts';
import type { ModelAnswers } from './answered-models.ts';
import { useReporters } from './reporter-runs.ts';

const RUNTIME = { kind: 'runtime', name: 'svc-runtime' };
const HASH = `sha256:${'a'.repeat(64)}`;
const OTHER_HASH = `sha256:${'b'.repeat(64)}`;
const REFUSED = ':invalid_llm_provider_failure';

const ask = '(llm/request {:messages []})';
const report = (reason: string, retryable: boolean, more = ''): string =>
  `(agent.core/provider {:kind "llm-provider-error" :reason {:reason "${reason}" :retryable? ${retryable} ${more}}})`;

/** Class and flag that the provider gives, and the code of the run (runtime.md §7). */
const CLASSES: readonly (readonly [
  reason: ProviderFailure['reason'],
  retryable: boolean,
  code: string,
  isRetryable?: true,
])[] = [
  ['authentication_failed', false, 'llm_authentication_failed'],
  ['payment_required', false, 'llm_payment_required'],
  ['rate_limited', true, 'llm_rate_limited', true],
  ['rate_limited', false, 'llm_rate_limited', true],
  ['tool_calling_unsupported', false, 'llm_tool_calling_unsupported'],
  ['not_found', false, 'llm_model_not_found'],
  ['invalid_request', false, 'llm_request_invalid'],
  ['denied', false, 'llm_access_denied'],
  ['timeout', true, 'llm_timeout', true],
  ['usage_unavailable', false, 'llm_usage_unavailable'],
  ['unavailable', true, 'llm_provider_unavailable', true],
  ['transport_error', true, 'llm_provider_unavailable', true],
  ['capacity_exhausted', true, 'llm_provider_unavailable', true],
  ['unavailable', false, 'llm_provider_failed'],
  ['transport_error', false, 'llm_provider_failed'],
  ['internal', false, 'llm_provider_failed'],
  ['structured_output_unsupported', false, 'llm_provider_failed'],
];

describe('reports of model failures', () => {
  const runs = useReporters();
  const run = (body: string, model: ModelAnswers, isPrivate = false) => runs.run({ body, model, isPrivate });

  async function answer(body: string, model: ModelAnswers): Promise<unknown> {
    const done = await run(body, model);
    expect([done.unexpected, done.code]).to.deep.equal([null, null]);
    expect(done.usage).to.include({ protocol_errors: 0 });
    return Object(done.value).answer;
  }

  for (const [reason, retryable, code, isRetryable = false] of CLASSES) {
    it(`${reason}${retryable ? ', retryable' : ''}: ${code}`, async () => {
      const done = await run(
        `(do ${ask} (try ${report(reason, retryable)} (catch Throwable e :caught) (finally (println "finally") ${ask} (println "beyond"))))`,
        [failed({ reason, retryable })],
      );
      expect([done.unexpected, done.exitStatus]).to.deep.equal([null, 5]);
      const { envelope } = done;
      expect(envelope).to.have.property('error').that.deep.includes({
        phase: 'execution',
        code,
        source: RUNTIME,
        subject: null,
        path: null,
        retryable: isRetryable,
        provider_activity: true,
      });
      expect(envelope.execution).to.deep.include({ state: 'finished', outcome: 'error', last_evaluation_error: null });
      expect(done.events.at(-1)?.data).to.include({
        outcome: 'error',
        reason: code,
        failure_kind: 'llm-provider-error',
      });
      expect(done.records.find(({ type }) => type === 'execution-prints')?.payload['prints']).to.deep.equal([
        'finally',
      ]);
      expect(done.usage).to.deep.include({ capability_calls: { 'workflow/llm-request': 1 }, protocol_errors: 0 });
    });
  }

  const MISS = failed({ reason: 'not_found', replayMiss: { requestHash: HASH } });
  const USED_UP = failed({ reason: 'not_found', replayMiss: { requestHash: null } });
  const HASHED = `no replay fixture matches this request (request_hash: ${HASH})`;
  const GENERIC = 'no replay fixture matches the workflow request';
  const misses: readonly (readonly [
    title: string,
    model: ModelAnswers,
    claim: string,
    isPrivate: boolean,
    error: object,
  ])[] = [
    [
      'a request that no fixture answers',
      [MISS],
      report('not_found', false, `:request_hash "${HASH}"`),
      false,
      { message: HASHED, source: RUNTIME },
    ],
    [
      'the same of a private run',
      [MISS],
      report('not_found', false, `:request_hash "${HASH}"`),
      true,
      { message: GENERIC },
    ],
    [
      'a request beyond the last fixture of a sequence',
      [USED_UP],
      report('not_found', false),
      false,
      { message: GENERIC, source: null },
    ],
    [
      'a miss that came before another failure',
      [MISS, failed({ reason: 'unavailable' })],
      `(do ${ask} ${report('unavailable', false, `:request_hash "${HASH}"`)})`,
      false,
      { message: HASHED, source: RUNTIME },
    ],
  ];
  for (const [title, model, claim, isPrivate, error] of misses) {
    it(`${title}: replay_fixture_missing`, async () => {
      const done = await run(`(do ${ask} ${claim})`, model, isPrivate);
      expect([done.unexpected, done.code, done.exitStatus]).to.deep.equal([null, 'replay_fixture_missing', 5]);
      expect(done.envelope).to.have.property('error').that.deep.includes(error);
      expect(done.events.at(-1)?.data).to.include({
        failure_kind: 'llm-provider-error',
        reason: 'replay_fixture_missing',
      });
    });
  }

  const RATE_LIMITED = failed({ reason: 'rate_limited', retryable: true });
  const unproven: readonly (readonly [title: string, model: ModelAnswers, claim: string])[] = [
    ['a failure of another class', [RATE_LIMITED], report('denied', false)],
    ['the other flag', [RATE_LIMITED], report('rate_limited', false)],
    ['a success', [value('hi')], report('rate_limited', true)],
    ['a miss that was none', [RATE_LIMITED], report('rate_limited', true, `:request_hash "${HASH}"`)],
    ['another request than missed', [MISS], report('not_found', false, `:request_hash "${OTHER_HASH}"`)],
    ['a digest of another form', [MISS], report('not_found', false, `:request_hash "${HASH.toUpperCase()}"`)],
    ['no digest where one is named', [USED_UP], report('not_found', false, ':request_hash nil')],
    ['more than a failure', [RATE_LIMITED], report('rate_limited', true, ':model "small"')],
    ['a value that the provider gave nobody', [{ kind: 'invalid_return' }], report('invalid_provider_return', false)],
  ];
  for (const [title, model, claim] of unproven) {
    it(`refuses ${title}`, async () => {
      expect(await answer(`(do ${ask} (:reason ${claim}))`, model)).to.equal(REFUSED);
    });
  }

  it('a refused report uses no evidence up', async () => {
    expect(
      await run(
        `(do ${ask} ${report('rate_limited', false)} ${report('rate_limited', true, `:request_hash "${HASH}"`)} ${report('rate_limited', true)})`,
        [RATE_LIMITED],
      ),
    ).to.include({ code: 'llm_rate_limited' });
  });

  it('a failure of another run is none of this one', async () => {
    expect(await answer(ask, [RATE_LIMITED])).to.be.a('string');
    expect(await answer(`(:reason ${report('rate_limited', true)})`, [RATE_LIMITED])).to.equal(REFUSED);
  });

  it('a program that fails with the same words fails explicitly', async () => {
    for (const form of ['{:kind "llm-provider-error" :reason {:reason "rate_limited" :retryable? true}}', ask]) {
      expect(await run(`(do ${ask} (fail ${form}))`, [RATE_LIMITED]), form).to.include({
        code: 'explicit_failure',
        exitStatus: 5,
      });
    }
  });
});
