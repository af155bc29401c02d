import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { TokenUsage } from '../envelope/usage.ts';

/** Codes of a local check (providers.md §3, table A); `local_check_timeout` is the supervisor's own. */
export const LOCAL_CODES = [
  'command_not_found',
  'executable_unavailable',
  'environment_unavailable',
  'launcher_unavailable',
  'fixtures_unreadable',
  'adapter_unavailable',
  'model_contract_unsupported',
  'provider_admission_unavailable',
] as const satisfies readonly DiagnosticCode[];
/** What a look at a declaration can find, with nothing opened (providers.md §12). */
export type LocalCode = (typeof LOCAL_CODES)[number];

/** What an audited local check found wrong. */
export interface LocalFinding {
  readonly code: LocalCode;
  /** Which rule is broken and where, for people; no content, no path. Null when the code says all. */
  readonly hint: string | null;
  /** What was looked for, and where (world.md §2.4): a run of normal class and the person who asks a server show it. */
  readonly search?: string;
}

/** What a local check came to. */
export interface LocallyChecked {
  /** Null where nothing is wrong. */
  readonly finding: LocalFinding | null;
  /** Milliseconds of processor time that it used itself, whatever it waited for as well. */
  readonly processorMs: number;
}

/** Codes of a probe (providers.md §12); `connectivity_timeout` is the supervisor's own. */
export const PROBE_CODES = [
  'authentication_rejected',
  'connectivity_rejected',
  'connectivity_protocol_error',
  'connectivity_unsupported',
  'connectivity_outcome_unknown',
  'connectivity_unavailable',
  'connectivity_rate_limited',
] as const satisfies readonly DiagnosticCode[];
/** What a probe of a provider can find (providers.md §12). */
export type ProbeCode = (typeof PROBE_CODES)[number];

/** What `doctor --connect` learned of a model: null is that it answered. */
export interface ProbeAnswer {
  readonly finding: ProbeCode | null;
  /** Whether a request may have left. */
  readonly isDispatched: boolean;
  readonly usage: TokenUsage | null;
  /** What the vendor said of it, or what happened on the way; no credential in it. */
  readonly said?: string | null;
}
