import type { OAuthDeclaration } from './declaration.ts';
import type { ServerFacts } from './metadata.ts';

/** What is asked for, and what of it a grant must cover. */
export interface WantedScopes {
  readonly required: readonly string[];
  /** None: the authority is asked for what it gives by itself. */
  readonly requested: readonly string[];
  /** What an answer may name. */
  readonly allowed: readonly string[];
}

const OFFLINE = 'offline_access';

/**
 * Scopes of an authorisation (providers.md §9, "Scopes"): what the server demands, else what its metadata list, else
 * the defaults. Where all of them are silent, none is asked for. Null where it is more than the operator allows.
 */
export function wantedScopes(
  {
    scopeCeiling,
    defaultScopes,
    wantsRefresh,
  }: Pick<OAuthDeclaration, 'scopeCeiling' | 'defaultScopes' | 'wantsRefresh'>,
  demanded: readonly string[] | null,
  listed: readonly string[] | null,
  server: Pick<ServerFacts, 'scopes' | 'canRefresh'>,
): WantedScopes | null {
  const required = (demanded ?? listed ?? defaultScopes).filter((scope) => scope !== OFFLINE);
  if (!required.every((scope) => scopeCeiling.includes(scope))) return null;
  const isOffline =
    wantsRefresh &&
    server.canRefresh &&
    server.scopes?.includes(OFFLINE) === true &&
    listed?.includes(OFFLINE) === true &&
    scopeCeiling.includes(OFFLINE);
  return scopesFor(scopeCeiling, required, isOffline ? [...required, OFFLINE] : required);
}

/** Where no scope is asked for, an answer may name whatever the operator allows. */
export function scopesFor(
  ceiling: readonly string[],
  required: readonly string[],
  requested: readonly string[],
): WantedScopes {
  return { required, requested, allowed: required.length === 0 ? ceiling : requested };
}
