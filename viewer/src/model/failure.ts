import type { RunRecord } from '../data.ts';
import { flat, spansOf, text, type Span } from './spans.ts';

/** Why a run failed, as far as its trace reports, and what a person can do (evidence.md §12, "Error first"). */
export interface Failure {
  readonly reason: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly remedy: string;
  /** From the evaluation that failed to what failed in it last. */
  readonly chain: readonly Span[];
}

/** By failure kind, call reason or terminal reason; the most special one that is known counts. */
const REMEDIES: Readonly<Record<string, string>> = {
  'turn-limit':
    'Look at the last turns: did the model come closer? Give it more turns, a smaller task, or clearer tools.',
  'transcript-limit':
    'The conversation outgrew its bound. Let missions return less, or give the task in smaller parts.',
  'verification-failed':
    'The answer was refused by the check of the workflow. Compare the last turn with what the check wants.',
  'result-contract':
    'The value does not fit the declared result. Compare it with the contract, or say the contract in the prompt.',
  'llm-provider-error':
    'The model did not answer. Its call below says why; check credentials, limits and the alias with svc doctor --connect.',
  replay_fixture_missing:
    'The recording has no answer to this question: it changed with a prompt, a task or a program. Record the answers again.',
  rate_limited: 'The provider asked to slow down. Try again later, or use another installation.',
  authentication_failed:
    'The provider refused the credentials. Check the variable that the host names, and svc doctor.',
  payment_required: 'The account of the provider has no credit.',
  provider_timeout: 'The provider took too long. Raise llm_request_timeout_ms, or ask for less.',
  timeout: 'Something took too long. The longest open bar shows what.',
  not_found:
    'What was asked for is not there. With recorded answers: record them again after a change of prompt or task.',
  capability_quota: 'A call was made more often than its quota allows. Raise the quota, or call less.',
  unknown_model_alias: 'The workflow asks for an alias that the application does not select.',
  run_timeout: 'The run reached its time. The critical path shows where it went; raise run_duration_ms, or do less.',
  workflow_timeout: 'The workflow reached its time. The critical path shows where it went.',
  memory_exceeded: 'A program held more memory than it may. Work on smaller parts, or raise the bound.',
  model_output_truncated: 'The model reached its output limit. Raise max_tokens, or ask for less in one answer.',
};

const FACTS = ['failure_kind', 'limit', 'limit_value', 'limit_reason', 'agent_turns', 'constraint', 'alias'];

export function failureOf({ run, events }: Pick<RunRecord, 'run' | 'events'>): Failure | null {
  if (run.status !== 'error') return null;
  const stopped = events.findLast(({ type }) => type === 'run-stopped')?.data ?? {};
  const spans = spansOf(events);
  const isOutOfTime = run.terminal_reason !== null && OUT_OF_TIME.has(run.terminal_reason);
  const chain = isOutOfTime ? slowestOf(spans) : chainOf(spans);
  // Why the time was over is no failure of the part that took it.
  const last = isOutOfTime ? {} : (chain.at(-1)?.stopped ?? {});
  const words = [
    run.terminal_reason,
    text(last, 'reason'),
    text(stopped, 'limit_reason'),
    text(stopped, 'failure_kind'),
    text(last, 'status'),
    text(last, 'kind'),
  ];
  const known = words.find((word) => word !== null && Object.hasOwn(REMEDIES, word));
  return {
    reason: run.terminal_reason ?? 'unknown',
    facts: FACTS.flatMap((name) =>
      stopped[name] === undefined
        ? []
        : [[name, typeof stopped[name] === 'string' ? stopped[name] : JSON.stringify(stopped[name])] as const],
    ),
    remedy:
      REMEDIES[known ?? ''] ??
      'Follow the chain to the last part that failed; with private evidence it shows the program and the error.',
    chain,
  };
}

/** Reasons that say no more than that the time was over. */
const OUT_OF_TIME: ReadonlySet<string> = new Set(['run_timeout', 'workflow_timeout', 'parallel_timeout']);

/** The failed workflow evaluation, then what its time went to: the call or program of its largest part of own time. */
function slowestOf(spans: readonly Span[]): readonly Span[] {
  const root = spans.findLast(({ kind }) => kind === 'workflow') ?? spans.at(-1);
  if (root === undefined) return [];
  const parts = Map.groupBy(
    flat(root.children).filter(({ kind }) => kind !== 'route'),
    ({ label }) => label,
  );
  const [slowest] = [...parts.values()].sort((left, right) => ownTime(right) - ownTime(left));
  // A workflow that computed for most of the time has nothing else to blame.
  if (slowest === undefined || ownTime(slowest) < root.own) return [root];
  return [root, [...slowest].sort((left, right) => right.own - left.own)[0] ?? root];
}

function ownTime(spans: readonly Span[]): number {
  return spans.reduce((all, { own }) => all + own, 0);
}

/**
 * The failed workflow evaluation, then the last part in it that failed; routes of the kernel only report on failures of
 * others.
 */
function chainOf(spans: readonly Span[]): readonly Span[] {
  const failed = spans.findLast(({ hasFailed, isOpen }) => hasFailed || isOpen);
  if (failed === undefined) return [];
  const inner = flat(failed.children).filter(({ hasFailed, isOpen }) => hasFailed || isOpen);
  const last = inner.findLast(({ kind }) => kind !== 'route') ?? inner.at(-1);
  return last === undefined ? [failed] : [failed, last];
}

/** What a provider said of the last question to a model that failed; null where nothing is known of it. */
export function providerWordsOf({ events, privacy }: Pick<RunRecord, 'events' | 'privacy'>): ProviderWords | null {
  if (privacy.kind === 'closed') return null;
  const said = new Map(
    privacy.conversation.streams
      .flatMap(({ turns }) => turns)
      .flatMap(({ capability_id: id, outcome, attempts }) => {
        const words = outcome === 'error' ? attempts?.at(-1)?.said : undefined;
        return words === undefined ? [] : [[id, words] as const];
      }),
  );
  const last = events.findLast(
    ({ type, data }) => type === 'capability-stopped' && said.has(text(data, 'capability_id') ?? ''),
  );
  const capabilityId = last === undefined ? null : text(last.data, 'capability_id');
  const words = said.get(capabilityId ?? '');
  if (last === undefined || capabilityId === null || words === undefined) return null;
  return { alias: text(last.data, 'alias') ?? 'unknown', capabilityId, said: words };
}

export interface ProviderWords {
  readonly alias: string;
  readonly capabilityId: string;
  readonly said: string;
}

export function errorsOf(spans: readonly Span[]): readonly Span[] {
  return flat(spans).filter(({ hasFailed }) => hasFailed);
}
