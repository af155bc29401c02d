import { LIMITS, type LimitName, type LimitRow, type OptionalLimitName } from './catalogue.ts';

/** Limits as a document writes them, each already within the range of its row. */
export type WrittenLimits = Readonly<Partial<Record<LimitName, number>>>;

/** The value that a run enforces for every limit; null is off. */
export type EffectiveLimits = Readonly<
  Record<Exclude<LimitName, OptionalLimitName>, number> & Record<OptionalLimitName, number | null>
>;

/** What decided a value; `default` is the catalogue. */
export type LimitOrigin = 'manifest' | 'host' | 'default';

/** Why a manifest's request cannot be met; the reasons are diagnostic codes of interface.md. */
export type LimitRefusal =
  | {
      readonly reason: 'installed_limit_exceeded';
      readonly name: LimitName;
      readonly requested: number;
      readonly ceiling: number;
    }
  | { readonly reason: 'limit_unavailable'; readonly name: LimitName; readonly requested: number };

/** What holds for a run, and who said so (documents.md §5). */
export interface DecidedLimits {
  readonly values: EffectiveLimits;
  readonly origins: Readonly<Record<LimitName, LimitOrigin>>;
  /** The largest value that the manifest may ask for; null where the limit is off. */
  readonly ceilings: Readonly<Record<LimitName, number | null>>;
}

/** The limits of a run, or which of them may not be as it is asked. */
export type LimitsDecision =
  | ({ readonly ok: true } & DecidedLimits)
  | { readonly ok: false; readonly refusal: LimitRefusal };

/**
 * The largest value that a manifest may ask for: what the host wrote, else the catalogue's; null where an optional
 * limit is off (documents.md §5).
 */
export function installedCeiling(row: LimitRow, host: number | undefined): number | null {
  return host ?? row.ceiling;
}

/**
 * The limits of one run (documents.md §5): what the manifest asks for, else the default lowered to the installed
 * ceiling. A value that the host writes for an optional or installed limit is its default as well. Refuses the first
 * request, by name, that is above its ceiling or for a limit that is off; `requested` holds no installed limits.
 */
export function effectiveLimits(requested: WrittenLimits, host: WrittenLimits): LimitsDecision {
  const [refusal] = limitRefusals(requested, host);
  if (refusal !== undefined) {
    return { ok: false, refusal };
  }
  const values: Partial<Record<LimitName, number | null>> = {};
  const origins: Partial<Record<LimitName, LimitOrigin>> = {};
  const ceilings: Partial<Record<LimitName, number | null>> = {};
  for (const row of LIMITS) {
    const { value, origin } = decide(row, requested[row.name], host[row.name]);
    values[row.name] = value;
    origins[row.name] = origin;
    ceilings[row.name] = installedCeiling(row, host[row.name]);
  }
  if (!coverValues(values) || !coverAll(origins) || !coverAll(ceilings)) {
    throw new Error('every limit has a value, an origin and a ceiling');
  }
  return { ok: true, values, origins, ceilings };
}

/** Every request that cannot be met, by name. */
export function limitRefusals(requested: WrittenLimits, host: WrittenLimits): readonly LimitRefusal[] {
  return LIMITS.map((row) => refusalOf(row, requested[row.name], host[row.name]))
    .filter((found) => found !== undefined)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function refusalOf(
  row: (typeof LIMITS)[number],
  requested: number | undefined,
  host: number | undefined,
): LimitRefusal | undefined {
  if (requested === undefined) {
    return undefined;
  }
  const ceiling = installedCeiling(row, host);
  if (ceiling === null) {
    return { reason: 'limit_unavailable', name: row.name, requested };
  }
  return requested > ceiling ? { reason: 'installed_limit_exceeded', name: row.name, requested, ceiling } : undefined;
}

function decide(
  row: LimitRow,
  requested: number | undefined,
  host: number | undefined,
): { readonly value: number | null; readonly origin: LimitOrigin } {
  if (requested !== undefined) {
    return { value: requested, origin: 'manifest' };
  }
  if (host !== undefined && (row.scope !== 'narrowable' || row.default === null || host < row.default)) {
    return { value: host, origin: 'host' };
  }
  return { value: row.default, origin: 'default' };
}

function coverValues(values: Partial<Record<LimitName, number | null>>): values is EffectiveLimits {
  return LIMITS.every((row) => {
    const value = values[row.name];
    return value !== undefined && (value !== null || row.scope === 'optional');
  });
}

function coverAll<T>(facts: Partial<Record<LimitName, T>>): facts is Record<LimitName, T> {
  return LIMITS.every((row) => facts[row.name] !== undefined);
}
