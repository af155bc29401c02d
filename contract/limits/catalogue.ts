/** What a limit counts; a word is eight bytes. */
export type LimitUnit = 'ms' | 'words' | 'count' | 'bytes';

/**
 * Who may set a limit: `narrowable`, manifest and host; `optional`, the same, but off until the host sets it;
 * `installed`, the host alone.
 */
export type LimitScope = 'narrowable' | 'optional' | 'installed';

/** One limit (runtime.md §9). */
export interface LimitRow<Name extends string = string, Scope extends LimitScope = LimitScope> {
  readonly name: Name;
  readonly unit: LimitUnit;
  readonly scope: Scope;
  /** Value where neither manifest nor host says anything; null is off. */
  readonly default: number | null;
  /** Largest value a manifest may ask for where the host says nothing; null while off. */
  readonly ceiling: number | null;
  /** Range of the values a document may write, both ends included. */
  readonly minimum: number;
  readonly maximum: number;
  /** Whether the effective value is part of the effective application digest (documents.md §10). */
  readonly identity: boolean;
  readonly doc: string;
}

/** Largest value of a limit whose row states no range: 30 days in milliseconds (documents.md §5). */
const COMMON_MAXIMUM = 2_592_000_000;

/** The limit table of documents.md §5, in its order; loaders, digests, docs and schemas are driven by it. */
export const LIMITS = [
  narrowable({
    name: 'run_duration_ms',
    unit: 'ms',
    default: 30_000,
    ceiling: 1_800_000,
    doc: 'The whole run, from the moment its application is admitted to the providers. Its clock stops while the run waits for a person and none of it works.',
  }),
  narrowable({
    name: 'workflow_timeout_ms',
    unit: 'ms',
    default: 30_000,
    ceiling: 1_800_000,
    doc: 'One evaluation of the workflow, with every turn and mission it waits for.',
  }),
  narrowable({
    name: 'evaluation_timeout_ms',
    unit: 'ms',
    default: 30_000,
    ceiling: 600_000,
    doc: 'One program in a mission, or one form in the REPL.',
  }),
  narrowable({
    name: 'evaluation_admission_timeout_ms',
    unit: 'ms',
    default: 10_000,
    ceiling: 600_000,
    doc: 'How long a program waits for the one evaluation lease before it ends as busy.',
  }),
  narrowable({
    name: 'parallel_timeout_ms',
    unit: 'ms',
    default: 60_000,
    ceiling: 600_000,
    doc: 'One outermost pmap or pcalls; the deadline of the run cuts it short.',
  }),
  narrowable({
    name: 'workflow_heap_words',
    unit: 'words',
    default: 8_000_000,
    ceiling: 8_000_000,
    doc: 'Memory that the workflow may add to an idle isolate; each of its parallel branches has as much.',
  }),
  narrowable({
    name: 'evaluation_heap_words',
    unit: 'words',
    default: 1_250_000,
    ceiling: 1_250_000,
    doc: 'Memory that a mission program may add to an idle isolate; each of its parallel branches has as much.',
  }),
  narrowable({
    name: 'provider_heap_words',
    unit: 'words',
    default: 5_000_000,
    ceiling: 5_000_000,
    doc: 'Memory of one provider worker.',
  }),
  narrowable({
    name: 'live_provider_tasks',
    unit: 'count',
    default: 8,
    ceiling: 8,
    doc: 'Provider calls in flight at once; parallel branches are counted apart, against the same number.',
  }),
  narrowable({
    name: 'llm_request_output_tokens',
    unit: 'count',
    default: 4096,
    ceiling: 65_536,
    maximum: 1_000_000,
    doc: 'Output tokens that one live model call may ask for.',
  }),
  narrowable({
    name: 'llm_request_timeout_ms',
    unit: 'ms',
    default: 120_000,
    ceiling: 120_000,
    minimum: 100,
    maximum: 1_800_000,
    doc: 'One live model call, from dispatch to the last byte.',
  }),
  narrowable({
    name: 'workflow_capability_calls',
    unit: 'count',
    default: 256,
    ceiling: 4096,
    doc: 'Capability calls by the workflow, in one run.',
  }),
  narrowable({
    name: 'workflow_capability_calls_per_name',
    unit: 'count',
    default: 128,
    ceiling: 2048,
    doc: 'Calls of any one capability by the workflow, in one run.',
  }),
  narrowable({
    name: 'mission_capability_calls',
    unit: 'count',
    default: 256,
    ceiling: 4096,
    doc: 'Capability calls by all missions, in one run.',
  }),
  narrowable({
    name: 'mission_capability_calls_per_name',
    unit: 'count',
    default: 128,
    ceiling: 2048,
    doc: 'Calls of any one capability by all missions, in one run.',
  }),
  narrowable({
    name: 'subordinate_evaluations',
    unit: 'count',
    default: 128,
    ceiling: 2048,
    doc: 'Programs that the missions of one run may evaluate.',
  }),
  narrowable({
    name: 'subordinate_source_checks',
    unit: 'count',
    default: 128,
    ceiling: 2048,
    doc: 'Program texts that may be checked without being run, in one run.',
  }),
  narrowable({
    name: 'protocol_errors',
    unit: 'count',
    default: 64,
    ceiling: 512,
    doc: 'Malformed capability requests that are refused before the next one closes the run.',
  }),
  narrowable({
    name: 'entry_source_bytes',
    unit: 'bytes',
    default: 262_144,
    ceiling: 4_000_000,
    doc: "The form that calls the workflow's entry.",
  }),
  narrowable({
    name: 'subordinate_source_bytes',
    unit: 'bytes',
    default: 131_072,
    ceiling: 2_000_000,
    doc: 'One program text that is checked or evaluated.',
  }),
  narrowable({
    name: 'evaluation_memory_bytes',
    unit: 'bytes',
    default: 2_000_000,
    ceiling: 32_000_000,
    doc: 'Definitions kept between evaluations, over all missions.',
  }),
  narrowable({
    name: 'evaluation_history_bytes',
    unit: 'bytes',
    default: 1_000_000,
    ceiling: 16_000_000,
    doc: 'Each value of the history, and the histories of all missions together.',
  }),
  narrowable({
    name: 'capability_argument_bytes',
    unit: 'bytes',
    default: 262_144,
    ceiling: 4_000_000,
    doc: 'Arguments of one capability call, as canonical JSON.',
  }),
  narrowable({
    name: 'capability_result_bytes',
    unit: 'bytes',
    default: 1_000_000,
    ceiling: 16_000_000,
    doc: 'Result of one capability call, as canonical JSON.',
  }),
  narrowable({
    name: 'terminal_result_bytes',
    unit: 'bytes',
    default: 1_000_000,
    ceiling: 16_000_000,
    doc: 'Result of the run, as canonical JSON.',
  }),
  narrowable({
    name: 'event_payload_bytes',
    unit: 'bytes',
    default: 262_144,
    ceiling: 4_000_000,
    doc: 'Data of one trace event; never less than the last event of the application needs.',
  }),
  narrowable({
    name: 'normal_event_count',
    unit: 'count',
    default: 256,
    ceiling: 4096,
    minimum: 3,
    doc: 'Trace events kept of one run, normal or private.',
  }),
  narrowable({
    name: 'normal_event_bytes',
    unit: 'bytes',
    default: 4_000_000,
    ceiling: 64_000_000,
    doc: 'Bytes of the trace events kept of one run, normal or private.',
  }),
  optional({
    name: 'llm_total_tokens',
    unit: 'count',
    maximum: Number.MAX_SAFE_INTEGER,
    doc: 'Token budget of all live model calls of one run.',
  }),
  optional({
    name: 'llm_cost_microusd',
    unit: 'count',
    maximum: Number.MAX_SAFE_INTEGER,
    doc: 'Cost budget of all live model calls of one run, in millionths of a US dollar.',
  }),
  optional({
    name: 'workflow_loop_iterations',
    unit: 'count',
    doc: 'Jumps of one loop in the workflow.',
  }),
  optional({
    name: 'evaluation_loop_iterations',
    unit: 'count',
    doc: 'Jumps of one loop in a mission program.',
  }),
  installed({
    name: 'local_preflight_timeout_ms',
    unit: 'ms',
    default: 5000,
    doc: 'Processor time of the local checks before any provider is contacted, all together. One that never ends is given up after two minutes, or twelve times this where that is more.',
  }),
  installed({
    name: 'selection_validation_timeout_ms',
    unit: 'ms',
    default: 5000,
    doc: 'The check of a provider selection against its installation.',
  }),
  installed({
    name: 'provider_cleanup_timeout_ms',
    unit: 'ms',
    default: 5000,
    doc: 'Closing all providers of a run, in one budget.',
  }),
  installed({
    name: 'doctor_connectivity_timeout_ms',
    unit: 'ms',
    default: 10_000,
    identity: false,
    doc: 'The whole connect step of the doctor command.',
  }),
] as const;

/** The bounds of documents.md §5 that nobody sets, since they hold before any document has been read. */
export const FIXED_LIMITS = {
  /**
   * Digits of an integer that comes from a document or a provider, or leaves a program: so many always fit the integers
   * of the language (1,000,000 bits, language.md §20). To read one takes 33 ms and to write one 80, both more than
   * twice as much for twice as many.
   */
  integer_digits: 301_029,
} as const;

/** The name of a limit, as documents write it. */
export type LimitName = (typeof LIMITS)[number]['name'];

/** Names of the limits that may be off. */
export type OptionalLimitName = Extract<(typeof LIMITS)[number], { readonly scope: 'optional' }>['name'];

/** Whether a document may write that value for a limit, whatever its ceiling. */
export function inLimitRange(row: LimitRow, value: number): boolean {
  return Number.isSafeInteger(value) && value >= row.minimum && value <= row.maximum;
}

interface Stated<Name extends string> {
  readonly name: Name;
  readonly unit: LimitUnit;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly doc: string;
}

function narrowable<const Name extends string>(
  row: Stated<Name> & { readonly default: number; readonly ceiling: number },
): LimitRow<Name, 'narrowable'> {
  return { minimum: 1, maximum: COMMON_MAXIMUM, ...row, scope: 'narrowable', identity: true };
}

function optional<const Name extends string>(row: Stated<Name>): LimitRow<Name, 'optional'> {
  return {
    minimum: 1,
    maximum: COMMON_MAXIMUM,
    ...row,
    scope: 'optional',
    default: null,
    ceiling: null,
    identity: true,
  };
}

/** All of them are waits of the operator's machine, 100 ms to 30 s. */
function installed<const Name extends string>(
  row: Stated<Name> & { readonly default: number; readonly identity?: false },
): LimitRow<Name, 'installed'> {
  return { identity: true, ...row, minimum: 100, maximum: 30_000, scope: 'installed', ceiling: row.default };
}
