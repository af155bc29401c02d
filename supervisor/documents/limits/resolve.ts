import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { limitExceededMessage, limitTooSmallMessage, limitUnavailableMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import type { EffectiveLimits, LimitOrigin, LimitRefusal, WrittenLimits } from '../../../contract/limits/effective.ts';
import type { LimitName } from '../../../contract/limits/catalogue.ts';
import { failure, success } from '../../../contract/outcome.ts';
import type { Outcome } from '../../../contract/outcome.ts';

/** The limits that a run enforces, and which document decided each. */
export interface ResolvedLimits {
  readonly values: EffectiveLimits;
  readonly origins: Readonly<Record<LimitName, LimitOrigin>>;
}

/** What the manifest asks for, within what the host installed (documents.md §5); the first refusal by name. */
export function resolveLimits(requested: WrittenLimits, installed: WrittenLimits): Outcome<ResolvedLimits> {
  const decision = effectiveLimits(requested, installed);
  if (!decision.ok) return failure(refusalDiagnostic(decision.refusal));
  return success({ values: decision.values, origins: decision.origins });
}

function refusalDiagnostic(refusal: LimitRefusal): Diagnostic {
  const path = `/limits/${refusal.name}`;
  switch (refusal.reason) {
    case 'installed_limit_exceeded': {
      const { name: limit, requested, ceiling } = refusal;
      return diagnostic('installed_limit_exceeded', { path, message: limitExceededMessage({ limit, requested, ceiling }) });
    }
    case 'limit_unavailable': {
      const { name: limit, requested } = refusal;
      return diagnostic('limit_unavailable', { path, message: limitUnavailableMessage({ limit, requested }) });
    }
  }
}

/** Members of a trace line around its data, with both identities at their longest (evidence.md §2). */
const EVENT_ENVELOPE_BYTES = 1024;

/** Events kept free in a normal trace for its end (evidence.md §4). */
const TERMINAL_EVENTS = 2;

export interface ConfigurationFacts {
  readonly limits: EffectiveLimits;
  /** `namespace/function`. */
  readonly entry: string;
  readonly eventPolicy: 'normal' | 'private';
}

/** Limits that could not even hold the start of a run (documents.md §5, `limit_configuration_invalid`). */
export function checkLimitConfiguration({ limits, entry, eventPolicy }: ConfigurationFacts): Diagnostic | null {
  const reserved = eventPolicy === 'normal' ? TERMINAL_EVENTS : 0;
  const eventBytes = (1 + reserved) * (limits.event_payload_bytes + EVENT_ENVELOPE_BYTES);
  if (limits.normal_event_bytes < eventBytes) return tooSmall('normal_event_bytes', limits.normal_event_bytes, eventBytes);
  const entryBytes = Buffer.byteLength(entryForm(entry));
  if (limits.entry_source_bytes < entryBytes) return tooSmall('entry_source_bytes', limits.entry_source_bytes, entryBytes);
  return null;
}

/** The program that a run evaluates in its workflow (documents.md §3). */
export function entryForm(entry: string): string {
  return `(${entry} data/input)`;
}

function tooSmall(limit: LimitName, value: number, minimum: number): Diagnostic {
  return diagnostic('limit_configuration_invalid', { message: limitTooSmallMessage({ limit, value, minimum }) });
}
