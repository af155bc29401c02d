import type { ReporterApplication } from './reporter-runs.ts';

/** A claim that the kernel has evidence for, and the failure that its run ends with. */
export interface Report {
  readonly title: string;
  /** Form that makes the claim; `proof` and `token` are bound before it. */
  readonly claim: string;
  readonly application?: Partial<ReporterApplication>;
  readonly exitStatus: number;
  /** Members of the diagnostic that are not the usual ones. */
  readonly error: Readonly<Record<string, unknown>>;
  /** All members of `run-stopped` that belong to the failure (evidence.md §3). */
  readonly stopped: Readonly<Record<string, unknown>>;
  /** Message of the same failure of a private run. */
  readonly generic: string;
}

const RUNTIME = { kind: 'runtime', name: 'svc-runtime' };
const RUNTIME_LIMIT = 'a runtime limit was exceeded';
const TURN_LIMIT = 'the agent spent its turns without an acceptable result';
const CONFIG = 'an agent was configured with an option out of range';

/** Binds `proof` to what the kernel gives with its refusal of the second evaluation. */
const withProof = (claim: string): string =>
  `(do (kernel/eval-source "m" "1") (let [proof (get (kernel/eval-source "m" "1") "limit_proof")] ${claim}))`;
/** Binds `token` to what the kernel gives for this evidence. */
const withToken = (evidence: string, claim: string): string =>
  `(let [evidence ${evidence} token (get (:value (agent.core/outcome {:mode "record-turn" :evidence evidence})) "failure_token")] ${claim})`;

export const CONSUME = '(agent.core/outcome {:mode "consume" :token token :evidence evidence})';
export const TURN_EVIDENCE =
  '{:status "subject-failure" :kind "turn-limit" :error {:ok false :kind "turn-limit" :reason "protocol-error" :limit "agent_turns" :limit_value 4}}';
/** Evidence of turns that ran out. */
export const TURN_OUTCOME = (turns: number | string): string =>
  `{:status "subject-failure" :kind "turn-limit" :error {:reason "intermediate-result" :limit_value ${turns}}}`;
const PHASE_EVIDENCE =
  '{:status "subject-failure" :kind "phase-return-contract-failed" :error {:ok false :kind "phase-return-contract-failed" :reason {:contract "plan" :constraint "required" :violations [{:path "/n"}]}}}';
export const PHASE = ':phase_index 0 :mission "m" :contract "plan" :max_turns 4 :mode "phased"';
export const ONE_EVALUATION = { limits: { subordinate_evaluations: 1 } };

function turns(reason: string, code: string, message: string, generic: string): Report {
  return {
    title: `turns used up, ${reason}`,
    claim: `(agent.core/limit {:agent_turns 4 :reason "${reason}"})`,
    exitStatus: 6,
    error: { code, message },
    stopped: {
      failure_kind: 'turn-limit',
      limit: 'agent_turns',
      limit_value: 4,
      limit_reason: reason.replaceAll('-', '_'),
    },
    generic,
  };
}

const PRINTED_TURNS =
  'agent turn limit 4 was exceeded; raise max_turns for this agent.core/run call, or reduce the work per turn';
const SPENT = 'the agent spent 4 turns without an acceptable result';

/** One for each row of runtime.md §6 and each code that it can come to (runtime.md §13, agent-library.md §10). */
export const REPORTS: readonly Report[] = [
  {
    title: 'evaluations used up',
    claim: withProof('(agent.core/limit {:proof proof})'),
    application: ONE_EVALUATION,
    exitStatus: 6,
    error: {
      code: 'runtime_limit_exceeded',
      source: RUNTIME,
      message:
        'subordinate_evaluations limit 1 was exceeded; raise the manifest or host ceiling, or reduce total subordinate evaluations or agent turns',
    },
    stopped: { limit: 'subordinate_evaluations', limit_value: 1 },
    generic: RUNTIME_LIMIT,
  },
  turns('turn-limit-exceeded', 'runtime_limit_exceeded', PRINTED_TURNS, RUNTIME_LIMIT),
  turns('intermediate-result', 'runtime_limit_exceeded', PRINTED_TURNS, RUNTIME_LIMIT),
  turns(
    'evaluation-error',
    'turn_limit_exceeded',
    `${SPENT}; the last program failed; raise max_turns or simplify the task`,
    TURN_LIMIT,
  ),
  {
    ...turns(
      'evaluation-error',
      'turn_limit_exceeded',
      'the agent spent 4 turns (3 evaluation_error, 1 protocol_error) without an acceptable result; the last program failed; raise max_turns or simplify the task',
      TURN_LIMIT,
    ),
    title: 'turns used up, and what each came to',
    claim:
      '(agent.core/limit {:agent_turns 4 :reason "evaluation-error" :turn_counts {:protocol-error 1 :evaluation-error 3}})',
  },
  turns(
    'protocol-error',
    'turn_limit_exceeded',
    `${SPENT}; the last reply held no valid tool call; check that the model supports tool calling and raise max_tokens`,
    TURN_LIMIT,
  ),
  turns(
    'terminal-source-required',
    'turn_limit_exceeded',
    `${SPENT}; the last program was not one return or fail form; raise max_turns`,
    TURN_LIMIT,
  ),
  {
    title: 'a transcript that is too long',
    claim: '(agent.core/limit {:max_transcript_chars 9})',
    exitStatus: 6,
    error: { code: 'runtime_limit_exceeded', source: RUNTIME, message: RUNTIME_LIMIT },
    stopped: { failure_kind: 'transcript-limit', limit: 'max_transcript_chars', limit_value: 9 },
    generic: RUNTIME_LIMIT,
  },
  {
    title: 'an output that was cut',
    claim: '(agent.core/limit {:alias "small"})',
    exitStatus: 6,
    error: {
      code: 'model_output_truncated',
      subject: model('small'),
      message: 'the model of alias small stopped at its output limit',
    },
    stopped: { alias: 'small' },
    generic: 'the model stopped at its output limit',
  },
  {
    title: 'an output that was cut at a known limit',
    claim: '(agent.core/limit {:alias "small" :max_tokens 10 :bindings ["application_limit" "remaining_context"]})',
    exitStatus: 6,
    error: {
      code: 'model_output_truncated',
      subject: model('small'),
      message:
        'the model of alias small stopped at its output limit of 10 tokens, bound by application_limit, remaining_context; raise llm_request_output_tokens, send a shorter request',
    },
    stopped: {
      alias: 'small',
      limit: 'max_tokens',
      limit_value: 10,
      limit_bindings: ['application_limit', 'remaining_context'],
    },
    generic: 'the model stopped at its output limit',
  },
  {
    title: 'a result that violates its contract',
    claim: '(agent.core/result-contract {:value {"a-b" 10} :agent_turns 3})',
    exitStatus: 7,
    error: {
      phase: 'result_cleanup',
      code: 'result_contract_failed',
      source: { kind: 'result_contract', name: 'result.json' },
      path: '/a-b',
      message: 'the result violates its contract: rule maximum; bound: 9; after 3 agent turns',
    },
    stopped: { failure_kind: 'result-contract', agent_turns: 3, constraint: 'maximum' },
    generic: 'the result violates its contract',
  },
  {
    title: 'a phase value that violates its contract',
    claim: `(agent.core/phase-return {${PHASE} :completion "invalid-return" :value {"n" 1}})`,
    exitStatus: 5,
    error: {
      code: 'phase_return_contract_failed',
      source: phaseContract(),
      path: '/n',
      message: 'the phase return value violates its contract: rule type; expected: string',
    },
    stopped: { failure_kind: 'phase-return-contract-failed' },
    generic: 'the phase return value violates its contract',
  },
  {
    title: 'a phase value that is missing',
    claim: `(agent.core/phase-return {${PHASE} :completion "missing-return"})`,
    exitStatus: 5,
    error: {
      code: 'phase_return_contract_failed',
      source: phaseContract(),
      message: 'the phase return value violates its contract',
    },
    stopped: { failure_kind: 'phase-return-contract-failed' },
    generic: 'the phase return value violates its contract',
  },
  {
    title: 'an option out of range',
    claim: '(agent.core/config {:option "max_turns" :min 1 :max 2048 :value 2049})',
    exitStatus: 5,
    error: {
      code: 'invalid_agent_config',
      message: 'agent option max_turns must be an integer between 1 and 2048; given 2049',
    },
    stopped: { failure_kind: 'invalid-agent-config' },
    generic: CONFIG,
  },
  {
    title: 'an option of another type',
    claim: '(agent.core/config {:option "max_program_chars" :min 1 :max 1000000 :type "map"})',
    exitStatus: 5,
    error: {
      code: 'invalid_agent_config',
      message: 'agent option max_program_chars must be an integer between 1 and 1000000; given a value of type map',
    },
    stopped: { failure_kind: 'invalid-agent-config' },
    generic: CONFIG,
  },
  {
    title: 'an option that breaks another rule',
    claim: '(agent.core/config {:option "phases" :rule "invalid-phases"})',
    exitStatus: 5,
    error: { code: 'invalid_agent_config', message: 'agent option phases violates rule invalid-phases' },
    stopped: { failure_kind: 'invalid-agent-config' },
    generic: CONFIG,
  },
  {
    title: 'turns used up, by the outcome of a loop',
    claim: withToken(TURN_EVIDENCE, CONSUME),
    exitStatus: 6,
    error: {
      code: 'turn_limit_exceeded',
      message: `${SPENT}; the last reply held no valid tool call; check that the model supports tool calling and raise max_tokens`,
    },
    stopped: { failure_kind: 'turn-limit', limit: 'agent_turns', limit_value: 4, limit_reason: 'protocol_error' },
    generic: TURN_LIMIT,
  },
  {
    title: 'a phase value that violates its contract, by the outcome of a loop',
    claim: withToken(PHASE_EVIDENCE, CONSUME),
    exitStatus: 5,
    error: {
      code: 'phase_return_contract_failed',
      source: phaseContract(),
      path: '/n',
      message: 'the phase return value violates its contract',
    },
    stopped: { failure_kind: 'phase-return-contract-failed' },
    generic: 'the phase return value violates its contract',
  },
];

export function model(name: string) {
  return { kind: 'provider', name, operation: 'execution', occurrence: null };
}

function phaseContract() {
  return { kind: 'phase_return_contract', name: 'phase.json' };
}

const OPTIONS = [
  ['max_turns', 2048],
  ['retain_programs', 128],
  ['max_program_chars', 1_000_000],
  ['max_observation_chars', 65_536],
  ['max_transcript_chars', 1_000_000],
] as const;
const INT64_MAX = '9223372036854775807';

/** A claim with a number in it: which numbers it is believed with, and the code it then ends with. */
export interface Bound {
  readonly title: string;
  readonly claim: (number: string) => string;
  readonly believed: readonly string[];
  readonly refused: readonly string[];
  readonly code: string;
  readonly reason: string;
}

/** Numbers are Clojure texts: a double is no integer, whatever its value. */
export const BOUNDS: readonly Bound[] = [
  {
    title: 'agent_turns',
    claim: (number) => `(agent.core/limit {:agent_turns ${number} :reason "intermediate-result"})`,
    believed: ['1', '128', '2048'],
    refused: ['-1', '0', '2049', '2.0', INT64_MAX, '99999999999999999999'],
    code: 'runtime_limit_exceeded',
    reason: 'invalid_runtime_limit_failure',
  },
  {
    title: 'max_transcript_chars',
    claim: (number) => `(agent.core/limit {:max_transcript_chars ${number}})`,
    believed: ['1', '1000000'],
    refused: ['0', '1000001', '1.5', INT64_MAX],
    code: 'runtime_limit_exceeded',
    reason: 'invalid_runtime_limit_failure',
  },
  {
    title: 'agent_turns of a result',
    claim: (number) => `(agent.core/result-contract {:value {"a-b" 10} :agent_turns ${number}})`,
    believed: ['1', '128', '2048'],
    refused: ['0', '2049', '3.0'],
    code: 'result_contract_failed',
    reason: 'invalid_result_contract_failure',
  },
  {
    title: 'max_turns of a phase',
    claim: (number) =>
      `(agent.core/phase-return {:phase_index 7 :mission "m" :contract "plan" :max_turns ${number} :mode "phased" :completion "missing-return"})`,
    believed: ['1', '128', '2048'],
    refused: ['0', '2049'],
    code: 'phase_return_contract_failed',
    reason: 'invalid_result_contract_failure',
  },
  {
    title: 'phase_index',
    claim: (number) =>
      `(agent.core/phase-return {:phase_index ${number} :mission "m" :contract "plan" :max_turns 1 :mode "phased" :completion "missing-return"})`,
    believed: ['0', '7'],
    refused: ['-1', '8'],
    code: 'phase_return_contract_failed',
    reason: 'invalid_result_contract_failure',
  },
  {
    title: 'limit_value of an outcome',
    claim: (number) =>
      withToken(
        TURN_OUTCOME(number),
        `(if token ${CONSUME} (agent.core/outcome {:mode "record-turn" :evidence evidence}))`,
      ),
    believed: ['1', '128', '2048'],
    refused: ['0', '2049'],
    code: 'runtime_limit_exceeded',
    reason: 'invalid_agent_outcome_failure',
  },
  // An option inside its range is no fault; one that is no int64 has no place in the claim.
  ...OPTIONS.map(([option, most]): Bound => ({
    title: option,
    claim: (number) => `(agent.core/config {:option "${option}" :min 1 :max ${most} :value ${number}})`,
    believed: ['0', '-1', `${most + 1}`, INT64_MAX],
    refused: ['1', '2', `${most - 1}`, `${most}`, '9223372036854775808', '0.5', '"2049"', 'nil'],
    code: 'invalid_agent_config',
    reason: 'invalid_agent_config_failure',
  })),
];
