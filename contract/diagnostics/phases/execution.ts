import {
  PRINTED,
  provider,
  text,
  textOr,
  type CatalogueEntry,
  type ExitStatus,
  type MessageGrammar,
  type SourceRule,
} from '../entry.ts';
import { CONTRACT_VALUE_PATTERN } from '../messages/documents.ts';
import * as messages from '../messages/execution.ts';
import type { DiagnosticCode } from '../codes.ts';

const EITHER: readonly [SourceRule, ...SourceRule[]] = [null, 'runtime'];

interface Variation {
  readonly exit?: ExitStatus;
  readonly retryable?: boolean;
  readonly sources?: readonly [SourceRule, ...SourceRule[]];
  readonly span?: CatalogueEntry['span'];
  readonly cause?: CatalogueEntry['cause'];
}

/** Forms A and B of interface.md §2.5: no source, or the runtime with a span where one is known. */
function row(message: MessageGrammar, variation: Variation = {}): CatalogueEntry {
  return {
    ...PRINTED,
    phases: ['execution'],
    exit: 5,
    providerActivity: 'any',
    sources: EITHER,
    span: 'with_source',
    message,
    ...variation,
  };
}

const RETRYABLE = { retryable: true } as const;
const LIMIT = { exit: 6 } as const;
const SINK = { exit: 7, cause: 'allowed' } as const;
const NO_SOURCE = { sources: [null], span: 'never' } as const;

/** interface.md §2.5 "Errors"; runtime.md §13 "execution". */
export const EXECUTION = {
  workflow_failed: row(text('the workflow failed')),
  explicit_failure: row(textOr(messages.EXPLICIT_FAILURE, messages.EXPLICIT_FAILURE_PATTERN)),
  evaluation_failed: row(textOr(messages.EVALUATION_FAILED, messages.EVALUATION_FAILED_PATTERN)),
  invalid_agent_config: row(textOr(messages.INVALID_AGENT_CONFIG, messages.AGENT_CONFIG_PATTERN), NO_SOURCE),
  phase_return_contract_failed: {
    ...row(textOr('the phase return value violates its contract', CONTRACT_VALUE_PATTERN('the phase return value')), {
      sources: ['phase_return_contract'],
    }),
    span: 'never',
    path: 'allowed',
  },
  llm_authentication_failed: row(text('the LLM provider rejected authentication; check the installed credential')),
  llm_payment_required: row(text('the LLM provider rejected the request for billing or credit reasons')),
  llm_rate_limited: row(text('the LLM provider rate limited the request'), RETRYABLE),
  llm_model_not_found: row(text('the LLM provider could not find the configured model')),
  llm_tool_calling_unsupported: row(text('the configured model does not support tool calling')),
  llm_request_invalid: row(text('the LLM provider rejected the configured request')),
  llm_access_denied: row(text('the LLM provider denied access to the configured model')),
  llm_timeout: row(text('the LLM provider request timed out'), RETRYABLE),
  llm_provider_unavailable: row(text('the LLM provider is unavailable'), RETRYABLE),
  llm_usage_unavailable: row(text('the LLM provider left out the usage or cost that the installation promises')),
  llm_provider_failed: row(text('the LLM provider request failed')),
  mission_failed: row(text('a subordinate mission failed')),
  capability_quota_exceeded: row(
    textOr(messages.CAPABILITY_QUOTA_EXCEEDED, { pattern: messages.CAPABILITY_QUOTA_PATTERN, source: 'runtime' }),
    LIMIT,
  ),
  runtime_limit_exceeded: row(
    textOr(
      messages.RUNTIME_LIMIT_EXCEEDED,
      { pattern: messages.AGENT_TURNS_PATTERN, source: 'null' },
      ...messages.RUNTIME_LIMIT_PATTERNS.map((pattern) => ({ pattern, source: 'runtime' as const })),
    ),
    LIMIT,
  ),
  turn_limit_exceeded: row(textOr(messages.TURN_LIMIT_EXCEEDED, messages.TURN_LIMIT_PATTERN), {
    ...LIMIT,
    ...NO_SOURCE,
  }),
  model_output_truncated: {
    ...row(textOr(messages.MODEL_OUTPUT_TRUNCATED, messages.MODEL_OUTPUT_PATTERN), LIMIT),
    subjects: [provider('execution', 'null')],
  },
  run_timeout: row(text('the run duration limit was exceeded'), LIMIT),
  provider_failed: {
    ...PRINTED,
    phases: ['execution'],
    exit: 5,
    providerActivity: true,
    subjects: [provider('execution', 'object')],
    message: text('a provider failed during execution'),
  },
  replay_fixture_missing: row(
    textOr(messages.REPLAY_FIXTURE_MISSING, { pattern: messages.REPLAY_FIXTURE_PATTERN, source: 'runtime' }),
  ),
  event_capture_limit_exceeded: row(text('the events of a private run exceeded their limit'), SINK),
  event_sink_unavailable: row(text('the event sink was lost'), SINK),
  inspection_capture_limit_exceeded: row(text('the inspection artifact exceeded its limit'), SINK),
  inspection_sink_unavailable: row(text('the inspection sink was lost'), SINK),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
