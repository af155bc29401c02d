import {
  CANDIDATES_MAX,
  explanationOf,
  type ExplainedPlace,
  type FailureExplanation,
} from '../../../contract/diagnostics/explanation.ts';
import { isLimitName, limitRemedy, limitText } from '../../../contract/diagnostics/messages/limits.ts';
import type { LateCall, ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { LimitName } from '../../../contract/limits/catalogue.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { explainFault } from '../../calls/evaluation/explain-fault.ts';
import { placeInSource } from '../../documents/source-place.ts';
import { suspectsIn, type SuspectForm } from '../../calls/evaluation/suspects.ts';
import { outlastedMissions } from '../../documents/limits/outlasted.ts';
import type { RunnableApplication } from '../application.ts';
import type { TimeShare } from '../usage/time-spent.ts';
import type { WorkflowEnd } from '../workflow-end.ts';
import { namedSource, sourcesOf } from './own-sources.ts';

/**
 * What is reported about a failure by a limit that the program had no place in: which one, its value, who set it, what
 * to change.
 */
export function explainLimit(
  { name, value }: ReachedLimit,
  { decidedLimits }: RunnableApplication,
): FailureExplanation | null {
  if (name === 'max_transcript_chars') return explainTranscript(value);
  if (!isLimitName(name)) return null;
  return explanationOf({ problem: limitText(name, decidedLimits), remedy: limitRemedy([name], decidedLimits) });
}

/** A limit as `run-stopped` has it. */
export interface ReachedLimit {
  readonly name: unknown;
  /** Absent where the limits of the run say it. */
  readonly value?: unknown;
}

const MOST_TRANSCRIPT_CHARS = 1_000_000;

/** The conversation of an agent loop, which an option of the loop bounds, and no limit of the run. */
function explainTranscript(value: unknown): FailureExplanation {
  const ways = [
    ...(value === MOST_TRANSCRIPT_CHARS
      ? []
      : [
          `raise max_transcript_chars of the agent (at most ${String(MOST_TRANSCRIPT_CHARS)}), and limits.capability_argument_bytes with it`,
        ]),
    'drop old turns with compact_at_tokens',
  ];
  return explanationOf({
    problem: `the conversation needs more than max_transcript_chars, which is ${String(value)} characters`,
    remedy: ways.join(', or '),
  });
}

/** What the documents allow in the place of a call's own time, and what it is without them (documents.md §7). */
const CALL_TIMES = {
  request_timeout_ms: { default: 120_000, most: 1_800_000 },
  timeout_ms: { default: 5000, most: 300_000 },
} as const;

/** A call that had no answer in time: which setting gave it the time, who set it, and how it can have more. */
export function explainLateCall(
  { alias, late: { setting, ms } }: Pick<ProviderWords, 'alias'> & { readonly late: LateCall },
  { decidedLimits }: RunnableApplication,
): FailureExplanation {
  const name = 'llm_request_timeout_ms';
  if (setting === name)
    return explanationOf({ problem: limitText(name, decidedLimits), remedy: limitRemedy([name], decidedLimits) });
  const { default: usual, most } = CALL_TIMES[setting];
  const field = `install.${alias}.ceilings.${setting}`;
  const raise = `raise ${field} (at most ${String(most)}) in the host document`;
  // To raise one alone is no use while the other is as short.
  const isHeldByLimit = setting === 'request_timeout_ms' && decidedLimits.values[name] <= ms;
  return explanationOf({
    problem: `${field} is ${String(ms)} ms, ${ms === usual ? 'the default' : 'set by the host document'}`,
    remedy: isHeldByLimit ? `${limitRemedy([name], decidedLimits)}; ${raise}` : `ask for less in one call, or ${raise}`,
  });
}

/** `pmap` or `pcalls` that took too long, by what their branches do. */
export function explainParallelTimeout(application: RunnableApplication): FailureExplanation {
  const { decidedLimits } = application;
  const name = 'parallel_timeout_ms';
  return explanationOf({
    problem: limitText(name, decidedLimits),
    candidates: candidatesIn(application),
    remedy: limitRemedy([name], decidedLimits),
  });
}

/** What an evaluation waited for, the longest first, and how many milliseconds it lasted. */
export interface Waits {
  readonly shares: readonly TimeShare[];
  readonly ms: number;
}

export const NO_WAITS: Waits = { shares: [], ms: 0 };

/** A wait of this share of the time is why the time was over; below it, the program's own loops are where to look. */
const MOST_OF_TIME = 0.5;

/** `2 calls of llm-request (alias small) took 58.1 of 60.0 s`; null where no wait took most of the time. */
function longestWait({ shares: [longest], ms }: Waits): string | null {
  if (longest === undefined || ms === 0 || longest.ms < ms * MOST_OF_TIME) return null;
  const seconds = (of: number): string => (of / 1000).toFixed(1);
  return `${String(longest.count)} x ${longest.what} took ${seconds(longest.ms)} of ${seconds(ms)} s`;
}

/** A workflow that was ended for its time: what it waited for is where to look, or else its loops. */
export function explainTimeout(
  { deadline }: Extract<WorkflowEnd, { kind: 'timeout' }>,
  application: RunnableApplication,
  waits: Waits,
): FailureExplanation {
  const { decidedLimits } = application;
  const { bound } = deadline;
  const other = bound === 'run_duration_ms' ? 'workflow_timeout_ms' : 'run_duration_ms';
  // To raise one alone is no use while the other is as short.
  const names: [LimitName, ...LimitName[]] =
    decidedLimits.values[other] <= decidedLimits.values[bound] ? [bound, other] : [bound];
  const wait = longestWait(waits);
  const candidates = wait === null ? candidatesIn(application) : [];
  const outlasted = application.missions.size === 0 ? null : outlastedMissions(decidedLimits);
  return explanationOf({
    problem: [
      limitText(bound, decidedLimits),
      ...(wait === null ? [] : [wait]),
      ...(outlasted === null ? [] : [outlasted.problem]),
    ].join('; '),
    candidates,
    remedy: limitRemedy(
      names,
      decidedLimits,
      candidates.length === 0 ? 'do less in one run' : 'let the loop or seq that has no end come to one',
    ),
  });
}

/** Causes of a full memory that no larger one would help; their messages say what to do. */
const CAUSES: ReadonlySet<unknown> = new Set(['recursion', 'endless_seq']);

/** A workflow that needed more memory than it has, or would for ever. */
export function explainMemory(fault: EvaluationFault | null, application: RunnableApplication): FailureExplanation {
  const { decidedLimits } = application;
  const endless = fault?.details['cause'] === 'recursion' ? [] : candidatesIn(application, ['endless_seq']);
  if (fault === null) {
    const known = { problem: limitText('workflow_heap_words', decidedLimits), candidates: candidatesIn(application) };
    return explanationOf({
      ...known,
      remedy: limitRemedy(['workflow_heap_words'], decidedLimits, endless.length === 0 ? undefined : TAKE),
    });
  }
  const [known] = explainFault(fault, sourcesOf(application)).faults;
  const { cause } = fault.details;
  const candidates = cause === 'endless_seq' && known?.place !== null ? [] : endless;
  const remedy = CAUSES.has(cause)
    ? null
    : endless.length === 0
      ? 'make it smaller, or work on one part of it after the other'
      : TAKE;
  return explanationOf({ ...known, candidates, remedy });
}

const TAKE = 'take what is needed of a seq that has no end: (take n …), (take-while p …)';

/** A loop that took more turns than it may: the place is that of the loop. */
export function explainLoopLimit(fault: EvaluationFault, application: RunnableApplication): FailureExplanation {
  const { decidedLimits } = application;
  const [known] = explainFault(fault, sourcesOf(application)).faults;
  return explanationOf({
    ...known,
    problem: limitText('workflow_loop_iterations', decidedLimits),
    remedy: limitRemedy(['workflow_loop_iterations'], decidedLimits),
  });
}

/** Characters of sources that are looked through for suspects: the text of a failure is there in milliseconds. */
const LOOKED_AT = 65_536;

/**
 * Forms of the application's own components that need not end, of these kinds; in the first of the text alone where
 * there is much of it.
 */
function candidatesIn(
  { workflow: { components } }: RunnableApplication,
  kinds?: readonly SuspectForm['kind'][],
): readonly ExplainedPlace[] {
  const places: ExplainedPlace[] = [];
  let left = LOOKED_AT;
  for (const component of components.filter(({ isLibrary }) => !isLibrary)) {
    if (left <= 0 || places.length >= CANDIDATES_MAX) break;
    const looked = component.source.slice(0, left);
    left -= looked.length;
    const suspects = suspectsIn(looked).filter(({ kind }) => kinds?.includes(kind) !== false);
    const named = namedSource(component);
    places.push(
      ...suspects
        .slice(0, CANDIDATES_MAX - places.length)
        .map(({ span, within }) => placeInSource(named, span, within)),
    );
  }
  return places;
}
