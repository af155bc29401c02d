import type { OAuthDeclaration } from './declaration.ts';
import type { ServerFacts } from './metadata.ts';

/** What is asked for, and what of it a grant must cover. */
export interface WantedScopes {
  readonly required: readonly string[];
  readonly requested: readonly string[];
}

const OFFLINE = 'offline_access';

/**
 * Scopes of an authorisation (providers.md §9, "Scopes"): what the server demands, else what its metadata list, else
 * the defaults. Null where that is nothing, or more than the operator allows.
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
  if (required.length === 0 || !required.every((scope) => scopeCeiling.includes(scope))) return null;
  const isOffline =
    wantsRefresh &&
    server.canRefresh &&
    server.scopes?.includes(OFFLINE) === true &&
    listed?.includes(OFFLINE) === true &&
    scopeCeiling.includes(OFFLINE);
  return { required, requested: isOffline ? [...required, OFFLINE] : required };
}
