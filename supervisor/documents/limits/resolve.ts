import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  limitExceededMessage,
  limitTooSmallMessage,
  limitUnavailableMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import {
  effectiveLimits,
  limitRefusals,
  type DecidedLimits,
  type EffectiveLimits,
  type LimitRefusal,
  type WrittenLimits,
} from '../../../contract/limits/effective.ts';
import { LIMITS, type LimitName } from '../../../contract/limits/catalogue.ts';
import type { LocatedFault } from '../located-fault.ts';

/** The limits that a run enforces, and which document decided each. */
export type ResolvedLimits = DecidedLimits;

/**
 * What the manifest asks for, within what the host installed (documents.md §5); null where that cannot be
 * (`limitFaults`).
 */
export function resolveLimits(requested: WrittenLimits, installed: WrittenLimits): ResolvedLimits | null {
  const decision = effectiveLimits(requested, installed);
  if (!decision.ok) return null;
  const { values, origins, ceilings } = decision;
  return { values, origins, ceilings };
}

/**
 * Lower values of one run in place of what the documents came to. Throws RangeError for one that is wider, or of a
 * limit that is off.
 */
export function narrowLimits(resolved: ResolvedLimits, narrowed: WrittenLimits): ResolvedLimits {
  const rows = LIMITS.filter(({ name }) => narrowed[name] !== undefined);
  if (rows.length === 0) return resolved;
  for (const { name, minimum } of rows) {
    const [value, most] = [narrowed[name] ?? 0, resolved.values[name]];
    if (!Number.isSafeInteger(value) || value < minimum || most === null || value > most)
      throw new RangeError(`limits.${name} of a run is at most what its documents allow`);
  }
  return {
    ...resolved,
    values: { ...resolved.values, ...Object.fromEntries(rows.map(({ name }) => [name, narrowed[name]])) },
  };
}

/** Every request of a manifest that its host does not meet, by name, with what to change, and who set it. */
export function limitFaults(requested: WrittenLimits, installed: WrittenLimits): readonly LocatedFault[] {
  return limitRefusals(requested, installed).map((refusal) => ({
    diagnostic: refusalDiagnostic(refusal),
    at: ['limits', refusal.name],
    remedy: limitRemedy(refusal, installed[refusal.name] !== undefined),
  }));
}

function limitRemedy(refusal: LimitRefusal, isHosts: boolean): string {
  const { name } = refusal;
  if (refusal.reason === 'limit_unavailable')
    return `set limits.${name} in the host document, or take it out here; it is off by default`;
  const ceiling = String(refusal.ceiling);
  return `ask for at most ${ceiling}, which ${isHosts ? 'the host document set' : 'is the default ceiling'}, or raise limits.${name} in the host document`;
}

function refusalDiagnostic(refusal: LimitRefusal): Diagnostic {
  const path = `/limits/${refusal.name}`;
  switch (refusal.reason) {
    case 'installed_limit_exceeded': {
      const { name: limit, requested, ceiling } = refusal;
      return diagnostic('installed_limit_exceeded', {
        path,
        message: limitExceededMessage({ limit, requested, ceiling }),
      });
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

/**
 * Limits that could not even hold the start of a run (documents.md §5, `limit_configuration_invalid`), with what to
 * raise, and where.
 */
export function* configurationFaults(
  facts: ConfigurationFacts,
  origins: ResolvedLimits['origins'],
): Iterable<LocatedFault> {
  for (const { limit, minimum, ...fault } of shortages(facts)) {
    const raise = `raise limits.${limit} to ${String(minimum)} or more in the ${origins[limit] === 'host' ? 'host document' : 'manifest'}`;
    const lower =
      limit === 'normal_event_bytes' ? ', or lower event_payload_bytes' : ', or shorten the name of the entry';
    yield { diagnostic: tooSmall(limit, fault.value, minimum), at: ['limits', limit], remedy: `${raise}${lower}` };
  }
}

interface Shortage {
  readonly limit: LimitName;
  readonly value: number;
  readonly minimum: number;
}

function* shortages({ limits, entry, eventPolicy }: ConfigurationFacts): Iterable<Shortage> {
  const reserved = eventPolicy === 'normal' ? TERMINAL_EVENTS : 0;
  const eventBytes = (1 + reserved) * (limits.event_payload_bytes + EVENT_ENVELOPE_BYTES);
  if (limits.normal_event_bytes < eventBytes)
    yield { limit: 'normal_event_bytes', value: limits.normal_event_bytes, minimum: eventBytes };
  const entryBytes = Buffer.byteLength(entryForm(entry));
  if (limits.entry_source_bytes < entryBytes)
    yield { limit: 'entry_source_bytes', value: limits.entry_source_bytes, minimum: entryBytes };
}

/** The program that a run evaluates in its workflow (documents.md §3). */
export function entryForm(entry: string): string {
  return `(${entry} data/input)`;
}

function tooSmall(limit: LimitName, value: number, minimum: number): Diagnostic {
  return diagnostic('limit_configuration_invalid', { message: limitTooSmallMessage({ limit, value, minimum }) });
}
