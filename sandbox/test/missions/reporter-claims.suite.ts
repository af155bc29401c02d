/**
 * A claim that the kernel has no evidence for is answered, and the run goes on as if nobody had made it (runtime.md
 * §6).
 */
import { expect } from 'chai';
import { useReporters, type ReporterApplication } from './reporter-runs.ts';
import { CONSUME, ONE_EVALUATION, PHASE, TURN_EVIDENCE, TURN_OUTCOME } from './reporter-tables.ts';

const NO_PROOF = '0'.repeat(64);
const LIMIT = 'invalid_runtime_limit_failure';
const RESULT = 'invalid_result_contract_failure';
const CONFIG = 'invalid_agent_config_failure';
const OUTCOME = 'invalid_agent_outcome_failure';
const PROVIDER = 'invalid_llm_provider_failure';
const PROTOCOL = 'invalid_agent_protocol_error';
const UNKNOWN_PHASE = 'unknown_phase_return_contract';

/** Claims by reporter, each with the reason that it is refused with. */
const CLAIMS: Readonly<Record<string, readonly (readonly [claim: string, reason: string])[]>> = {
  limit: [
    ['{}', LIMIT],
    [`{:proof "${NO_PROOF}"}`, LIMIT],
    ['{:proof ""}', LIMIT],
    ['{:proof nil}', LIMIT],
    ['{:proof 1}', LIMIT],
    ['{:agent_turns 4}', LIMIT],
    ['{:reason "intermediate-result"}', LIMIT],
    ['{:agent_turns 4 :reason "boredom"}', LIMIT],
    ['{:agent_turns 4 :reason "intermediate_result"}', LIMIT],
    ['{:agent_turns 4 :reason "constructor"}', LIMIT],
    ['{:agent_turns 4 :reason nil}', LIMIT],
    ['{:agent_turns "4" :reason "intermediate-result"}', LIMIT],
    ['{:agent_turns [4] :reason "intermediate-result"}', LIMIT],
    ['{:agent_turns 4 :reason "intermediate-result" :extra 1}', LIMIT],
    ['{:agent_turns 4 :reason "evaluation-error" :evaluation_id 1}', LIMIT],
    ['{:agent_turns 4 :reason "evaluation-error" :evaluation_id nil}', LIMIT],
    ...[
      '{"boredom" 1}',
      '{"constructor" 1}',
      '{"evaluation-error" 0}',
      '{"evaluation-error" 2049}',
      '{"evaluation-error" "1"}',
      '[]',
      'nil',
    ].map((counts) => [`{:agent_turns 4 :reason "evaluation-error" :turn_counts ${counts}}`, LIMIT] as const),
    ['{:max_transcript_chars "9"}', LIMIT],
    ['{:max_transcript_chars 9 :agent_turns 4 :reason "intermediate-result"}', LIMIT],
    [`{:max_transcript_chars 9 :proof "${NO_PROOF}"}`, LIMIT],
    ['{:alias ""}', LIMIT],
    ['{:alias "Small"}', LIMIT],
    ['{:alias "no alias"}', LIMIT],
    [`{:alias "a${'b'.repeat(128)}"}`, LIMIT],
    ['{:alias nil}', LIMIT],
    ['{:alias "small" :max_tokens 10}', LIMIT],
    ['{:alias "small" :bindings ["configured"]}', LIMIT],
    ['{:alias "small" :max_tokens 0 :bindings ["configured"]}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings []}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings "configured"}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings ["boredom"]}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings ["configured" "configured"]}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings ["remaining_context" "application_limit"]}', LIMIT],
    ['{:alias "small" :max_tokens 10 :bindings [nil]}', LIMIT],
  ],
  provider: [
    ['{}', PROVIDER],
    ['{:kind "llm-provider-error"}', PROVIDER],
    ['{:kind "llm-provider-error" :reason "rate_limited"}', PROVIDER],
    ['{:kind "llm-provider-error" :reason {:reason "rate_limited" :retryable? true}}', PROVIDER],
    ['{:kind "llm-provider-error" :reason {:reason "rate_limited"}}', PROVIDER],
    ['{:kind "llm-provider-error" :reason {:reason "" :retryable? true}}', PROVIDER],
    ['{:kind "provider-error" :reason {:reason "rate_limited" :retryable? true}}', PROVIDER],
    [
      `{:kind "llm-provider-error" :reason {:reason "not_found" :retryable? false :request_hash "sha256:${NO_PROOF}"}}`,
      PROVIDER,
    ],
  ],
  'result-contract': [
    ['{}', RESULT],
    ['{:value {"a-b" 10}}', RESULT],
    ['{:agent_turns 3}', RESULT],
    ['{:value {"a-b" 9} :agent_turns 3}', RESULT],
    ['{:value {:a-b -1} :agent_turns 3}', RESULT],
    ['{:value {"a-b" 10} :agent_turns "3"}', RESULT],
    ['{:value {"a-b" 10} :agent_turns 3 :extra 1}', RESULT],
  ],
  'phase-return': [
    ['{}', RESULT],
    [`{${PHASE} :completion "invalid-return" :value {"n" ""}}`, RESULT],
    [`{${PHASE} :completion "invalid-return"}`, RESULT],
    [`{${PHASE} :completion "missing-return" :value {}}`, RESULT],
    [`{${PHASE} :completion "missing-return" :value nil}`, RESULT],
    [`{${PHASE} :completion "returned"}`, RESULT],
    [`{${PHASE}}`, RESULT],
    [`{${PHASE} :completion "missing-return" :extra 1}`, RESULT],
    ['{:phase_index 0 :mission 1 :contract "plan" :max_turns 4 :mode "phased" :completion "missing-return"}', RESULT],
    [
      '{:phase_index 0 :mission "m" :contract ["plan"] :max_turns 4 :mode "phased" :completion "missing-return"}',
      RESULT,
    ],
    ['{:phase_index 0 :mission "m" :contract "plan" :max_turns 4 :mode "other" :completion "missing-return"}', RESULT],
    [
      '{:phase_index 0 :mission "m" :contract "other" :max_turns 4 :mode "phased" :completion "missing-return"}',
      UNKNOWN_PHASE,
    ],
    [
      '{:phase_index 0 :mission "m" :contract "__proto__" :max_turns 4 :mode "phased" :completion "invalid-return" :value 1}',
      UNKNOWN_PHASE,
    ],
  ],
  config: [
    ['{}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048}', CONFIG],
    ['{:option "max_turns" :value 2049}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2049 :value 3000}', CONFIG],
    ['{:option "max_turns" :min 0 :max 2048 :value 3000}', CONFIG],
    ['{:option "max_turns" :min 1 :max 65536 :value 70000}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048 :value 2049 :type "map"}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048 :value 2049 :extra 1}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048 :type "secret"}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048 :type nil}', CONFIG],
    ['{:option "max_turns" :min 1.0 :max 2048 :value 2049}', CONFIG],
    ['{:option "max_corrections" :min 0 :max 128 :value 129}', CONFIG],
    ['{:option "__proto__" :min 1 :max 2 :value 3}', CONFIG],
    ['{:option nil :min 1 :max 2048 :value 2049}', CONFIG],
    ['{:option "mission" :rule "invalid-phases"}', CONFIG],
    ['{:option "phases" :rule "boredom"}', CONFIG],
    ['{:option "phases" :rule "invalid-phases" :extra 1}', CONFIG],
    ['{:option "max_turns" :min 1 :max 2048 :value 2049 :rule "invalid-phases"}', CONFIG],
  ],
  outcome: [
    ['{}', OUTCOME],
    ['{:mode "record-turn"}', OUTCOME],
    [`{:mode "record" :evidence ${TURN_EVIDENCE}}`, OUTCOME],
    [`{:mode "record-turn" :evidence ${TURN_EVIDENCE} :extra 1}`, OUTCOME],
    [`{:mode "record-turn" :evidence ${TURN_EVIDENCE} :evaluation_id 1}`, OUTCOME],
    ['{:mode "record-turn" :evidence "turn-limit"}', OUTCOME],
    [
      '{:mode "record-turn" :evidence {:status "ok" :kind "turn-limit" :error {:reason "protocol-error" :limit_value 4}}}',
      OUTCOME,
    ],
    [
      '{:mode "record-turn" :evidence {:status "subject-failure" :kind "other" :error {:reason "protocol-error" :limit_value 4}}}',
      OUTCOME,
    ],
    [
      '{:mode "record-turn" :evidence {:status "subject-failure" :kind "turn-limit" :error {:reason "boredom" :limit_value 4}}}',
      OUTCOME,
    ],
    ['{:mode "record-turn" :evidence {:status "subject-failure" :kind "turn-limit" :error nil}}', OUTCOME],
    [`{:mode "consume" :token "${NO_PROOF}" :evidence ${TURN_EVIDENCE}}`, OUTCOME],
    [`{:mode "consume" :token nil :evidence ${TURN_EVIDENCE}}`, OUTCOME],
    [`{:mode "consume" :evidence ${TURN_EVIDENCE}}`, OUTCOME],
  ],
  'protocol-error': [['{:x 1}', PROTOCOL]],
};

const refused = (reason: string): string =>
  `{:kind :protocol_error, :reason :${reason}, :retryable? false, :status :error}`;
const NOTHING_COUNTED = {
  protocol_errors: 0,
  agent_protocol_errors: 0,
  capability_refusals: {},
  capability_denials: {},
  capability_calls: {},
};

describe('claims without evidence', () => {
  const runs = useReporters();

  /** What the forms of a run that goes on print, which has counted nothing of theirs. */
  async function answers(body: string, application: Partial<ReporterApplication> = {}): Promise<unknown> {
    const done = await runs.run({ ...application, body });
    expect([done.unexpected, done.code, done.exitStatus]).to.deep.equal([null, null, 0]);
    expect(done.usage).to.deep.include(NOTHING_COUNTED);
    return Object(done.value).answer;
  }

  for (const [reporter, claims] of Object.entries(CLAIMS)) {
    for (const [claim, reason] of claims) {
      it(`${reporter} ${claim.length > 150 ? `${claim.slice(0, 150)}…` : claim}`, async () => {
        const done = await runs.run({ body: `(agent.core/${reporter} ${claim})` });
        expect([done.unexpected, done.code, done.exitStatus, done.value]).to.deep.equal([
          null,
          null,
          0,
          { 'a-b': 0, answer: refused(reason) },
        ]);
        expect(done.usage).to.deep.include(NOTHING_COUNTED);
        expect(done.events.find(({ type }) => type === 'capability-stopped')?.data).to.include({
          status: 'error',
          kind: 'protocol_error',
          reason,
        });
        expect(done.events.at(-1)?.data)
          .to.include({ outcome: 'ok', reason: null })
          .and.to.not.have.any.keys('failure_kind', 'limit', 'limit_value', 'diagnostic');
      });
    }
  }

  it('as many as a program likes, beyond the limit of protocol errors', async () => {
    const printed = await answers(
      '(count (filter #(= :protocol_error (:kind %)) (mapv (fn [_] (agent.core/limit {})) (range 9))))',
      { limits: { protocol_errors: 3 } },
    );
    expect(printed).to.equal('9');
  });

  it('that are larger than arguments may be are protocol errors like those of any call', async () => {
    const done = await runs.run({
      body: `(:reason (agent.core/limit {:alias "${'a'.repeat(1000)}"}))`,
      limits: { capability_argument_bytes: 1000 },
    });
    expect([done.code, done.value]).to.deep.equal([null, { 'a-b': 0, answer: ':argument_exceeded' }]);
    expect(done.usage).to.deep.include({ protocol_errors: 1, capability_refusals: {} });
  });

  it('a value that fits an application without a result contract is no violation', async () => {
    expect(
      await answers('(:reason (agent.core/result-contract {:value 1 :agent_turns 3}))', { contracts: {} }),
    ).to.equal(`:${RESULT}`);
    expect(
      await answers(`(:reason (agent.core/phase-return {${PHASE} :completion "missing-return"}))`, { contracts: {} }),
    ).to.equal(`:${UNKNOWN_PHASE}`);
  });

  describe('a proof', () => {
    const refuse = '(:reason (agent.core/limit {:proof (get input "proof")}))';
    const spend = '(do (kernel/eval-source "m" "1") (get (kernel/eval-source "m" "1") "limit_proof"))';

    it('is 32 bytes, another with each refusal', async () => {
      const printed = await answers(`[${spend} (get (kernel/eval-source "m" "1") "limit_proof")]`, ONE_EVALUATION);
      const [first, second] = String(printed).match(/[0-9a-f]{64}/g) ?? [];
      expect(printed).to.equal(`["${first}" "${second}"]`);
      expect(first).to.not.equal(second);
    });

    it('that another run was given proves nothing', async () => {
      const printed = String(await answers(spend, ONE_EVALUATION));
      const proof = printed.slice(1, -1);
      expect(await answers(`[${spend} ${refuse}]`, { ...ONE_EVALUATION, input: { proof } })).to.match(
        new RegExp(`^\\["[0-9a-f]{64}" :${LIMIT}\\]$`),
      );
    });

    it('that was used proves nothing to a later run, nor a second time to its own', async () => {
      const body = `(let [proof ${spend}] (println proof) (try (agent.core/limit {:proof proof}) (finally (println (agent.core/limit {:proof proof})))))`;
      const used = await runs.run({ ...ONE_EVALUATION, body });
      expect(used.code).to.equal('runtime_limit_exceeded');
      const [proof = '', ...later] = [used.records.find(({ type }) => type === 'execution-prints')?.payload['prints']]
        .flat()
        .map(String);
      expect(proof).to.match(/^[0-9a-f]{64}$/);
      expect(later).to.deep.equal([]);
      expect(
        used.events.filter(
          ({ type, data }) => type === 'capability-started' && data['name'] === 'kernel-runtime-limit-failure',
        ),
      ).to.have.length(1);
      expect(await answers(refuse, { input: { proof } })).to.equal(`:${LIMIT}`);
    });

    it('is that of the whole evaluation, whichever branch was refused', async () => {
      const { code } = await runs.run({
        ...ONE_EVALUATION,
        body: `(agent.core/limit {:proof (first (pmap (fn [_] ${spend}) [1]))})`,
      });
      expect(code).to.equal('runtime_limit_exceeded');
    });

    it('that is shown with more than itself, or changed, is refused and stays good', async () => {
      const body = `(let [proof ${spend}] (println (map #(:reason (agent.core/limit %)) [{:proof proof :agent_turns 1} {:proof (str proof "0")} {:proof (subs proof 1)} {:proof (.toUpperCase proof)} {:proof [proof]}])) (agent.core/limit {:proof proof}))`;
      const done = await runs.run({ ...ONE_EVALUATION, body });
      expect(done.code).to.equal('runtime_limit_exceeded');
      const prints = done.records.find(({ type }) => type === 'execution-prints')?.payload['prints'];
      expect(prints).to.deep.equal([`(${Array.from({ length: 5 }, () => `:${LIMIT}`).join(' ')})`]);
    });

    it('is given for the quota alone, not for other refusals', async () => {
      expect(
        await answers(
          '(let [told (kernel/eval-source "m" "12")] [(get told "reason") (contains? told "limit_proof")])',
          { limits: { subordinate_source_bytes: 1 } },
        ),
      ).to.equal('["subordinate_source_bytes" false]');
    });
  });

  describe('a token', () => {
    const record = (evidence: string) =>
      `(get (:value (agent.core/outcome {:mode "record-turn" :evidence ${evidence}})) "failure_token")`;
    const four = TURN_OUTCOME(4);

    it('that another run was given opens nothing', async () => {
      const token = String(await answers(record(four))).slice(1, -1);
      expect(token).to.match(/^[0-9a-f]{64}$/);
      expect(
        await answers(`(do ${record(four)} (let [token (get input "token") evidence ${four}] (:reason ${CONSUME})))`, {
          input: { token },
        }),
      ).to.equal(`:${OUTCOME}`);
    });

    it('with other evidence is refused, and stays good for its own', async () => {
      const body = `(let [token ${record(four)} evidence ${TURN_OUTCOME(5)}] (println (:reason ${CONSUME})) (let [evidence ${four}] ${CONSUME}))`;
      const done = await runs.run({ body });
      expect(done.events.at(-1)?.data).to.include({ limit: 'agent_turns', limit_value: 4 });
      expect(done.records.find(({ type }) => type === 'execution-prints')?.payload['prints']).to.deep.equal([
        `:${OUTCOME}`,
      ]);
    });

    it('of one outcome does not open another', async () => {
      const body = `(let [token ${record(four)} other ${record(TURN_OUTCOME(5))} evidence ${TURN_OUTCOME(5)}] (:reason ${CONSUME}))`;
      expect(await answers(body)).to.equal(`:${OUTCOME}`);
    });

    it('that was used opens nothing in a later run, nor a second time in its own', async () => {
      const body = `(let [evidence ${four} token ${record(four)}] (println token) (try ${CONSUME} (finally (println ${CONSUME}))))`;
      const used = await runs.run({ body });
      const [token = '', ...later] = [used.records.find(({ type }) => type === 'execution-prints')?.payload['prints']]
        .flat()
        .map(String);
      expect([used.code, later]).to.deep.equal(['runtime_limit_exceeded', []]);
      expect(token).to.match(/^[0-9a-f]{64}$/);
      expect(
        await answers(`(let [evidence ${four} token (get input "token")] (:reason ${CONSUME}))`, { input: { token } }),
      ).to.equal(`:${OUTCOME}`);
    });

    it('is kept for 2048 outcomes, and for no more', async () => {
      const body = `(let [answers (mapv (fn [_] (agent.core/outcome {:mode "record-turn" :evidence ${four}})) (range 2049))] [(count (filter #(= :ok (:status %)) answers)) (:reason (peek answers)) (count (set (map #(get (:value %) "failure_token") (pop answers))))])`;
      expect(await answers(body)).to.equal(`[2048 :${OUTCOME} 2048]`);
    });

    // 64 outcomes of 250,000 bytes are as many as are kept; one byte more in each leaves no room for the last.
    for (const [bytes, printed] of [
      [250_000, `[64 :${OUTCOME}]`],
      [250_001, '[63 nil]'],
    ] as const) {
      it(`is kept for 16,000,000 bytes of outcomes: ${printed} with ${bytes} bytes each`, async () => {
        const error = { reason: 'intermediate-result', limit_value: 4, note: '' };
        const note = bytes - JSON.stringify({ status: 'subject-failure', kind: 'turn-limit', error }).length;
        const evidence = `{:status "subject-failure" :kind "turn-limit" :error {:reason "intermediate-result" :limit_value 4 :note note}}`;
        const body = `(let [note (apply str (repeat ${note} "a"))] [(count (filter #(= :ok (:status %)) (mapv (fn [_] (agent.core/outcome {:mode "record-turn" :evidence ${evidence}})) (range 64)))) (:reason (agent.core/outcome {:mode "record-turn" :evidence ${four}}))])`;
        expect(await answers(body)).to.equal(printed);
      });
    }
  });

  it('kernel-agent-protocol-error gives true and counts in agent_protocol_errors, which has no limit, nor has the route', async () => {
    const done = await runs.run({
      body: '(set (mapv (fn [_] (agent.core/protocol-error {})) (range 100)))',
      limits: { protocol_errors: 3, workflow_capability_calls: 1, workflow_capability_calls_per_name: 1 },
    });
    expect([done.code, done.value]).to.deep.equal([null, { 'a-b': 0, answer: '#{{:status :ok, :value true}}' }]);
    expect(done.usage).to.deep.include({ ...NOTHING_COUNTED, agent_protocol_errors: 100 });
    expect(Object(done.events.at(-1)?.data['usage'])).to.include({ agent_protocol_errors: 100, protocol_errors: 0 });
  });
});
