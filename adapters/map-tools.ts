import type { Effect } from '../contract/effect.ts';
import { isReservedName } from '../contract/routes.ts';
import { kebabName } from './kebab-name.ts';

/** The row that maps everything that has none of its own. */
export const EVERY = '*';

/** A row of a mapping, as a host document has it (world.md §2.3). */
export interface MappingRow {
  /** The name that the provider uses, or `*`. */
  readonly upstream: string;
  /** Null: made of the provider's. */
  readonly as: string | null;
  /** Null: as the provider says. */
  readonly effect: Exclude<Effect, 'unknown'> | null;
  /** The operator's own words, instead of the provider's. */
  readonly description: string | null;
  readonly errorFeedback: 'closed' | 'bounded';
  readonly isModelVisible: boolean;
  readonly inspectionCapture: 'full' | 'digest_results';
}

/** What a provider says of a tool that it offers. */
export interface OfferedUpstream {
  readonly upstream: string;
  /** Where no row says it. */
  readonly effect: Exclude<Effect, 'unknown'>;
  /** Of what the kebab-case name is made. */
  readonly naming: string;
}

/** A tool that is mapped. */
export interface MappedTool<Offered extends OfferedUpstream> extends Omit<MappingRow, 'as' | 'effect'> {
  readonly as: string;
  readonly effect: Exclude<Effect, 'unknown'>;
  readonly offered: Offered;
}

export type MappingFault =
  /** A row of something that the provider does not have. */
  | { readonly kind: 'missing'; readonly upstream: string }
  /** Two of them would have one name. */
  | { readonly kind: 'collision'; readonly as: string; readonly upstreams: readonly [string, string] }
  /** No name can be made, or one that is taken: a row has to give one. */
  | { readonly kind: 'unnamed'; readonly upstream: string };

/** What the rows make of what is offered: a row of its own wins over the one of all. */
export function mapTools<Offered extends OfferedUpstream>(
  rows: readonly MappingRow[],
  offered: readonly Offered[],
): { readonly ok: true; readonly tools: readonly MappedTool<Offered>[] } | { readonly ok: false; readonly fault: MappingFault } {
  const own = new Map(rows.map((row) => [row.upstream, row]));
  const every = own.get(EVERY);
  const known = new Set(offered.map(({ upstream }) => upstream));
  const missing = rows.find(({ upstream }) => upstream !== EVERY && !known.has(upstream));
  if (missing !== undefined) return { ok: false, fault: { kind: 'missing', upstream: missing.upstream } };
  const byName = new Map<string, MappedTool<Offered>>();
  for (const one of offered) {
    const row = own.get(one.upstream) ?? every;
    if (row === undefined) continue;
    const as = (row.upstream === EVERY ? null : row.as) ?? kebabName(one.naming);
    if (as === null || isReservedName(as)) return { ok: false, fault: { kind: 'unnamed', upstream: one.upstream } };
    const before = byName.get(as);
    if (before !== undefined)
      return { ok: false, fault: { kind: 'collision', as, upstreams: [before.upstream, one.upstream] } };
    const effect = row.effect ?? one.effect;
    byName.set(as, {
      ...row,
      upstream: one.upstream,
      as,
      effect,
      // What a write did is never reduced to a digest.
      inspectionCapture: effect === 'write' ? 'full' : row.inspectionCapture,
      offered: one,
    });
  }
  return { ok: true, tools: [...byName.values()] };
}
