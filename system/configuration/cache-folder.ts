import { isAbsolute } from 'node:path';
import type { Variables } from './configuration.ts';
import type { Configuration } from './settings.ts';

/**
 * Absolute folder below which this process may keep what it can make again; null for none. A relative folder of the
 * environment counts as absent, as its convention demands (XDG base directories).
 */
export function cacheFolder({ bundleCache, cacheDirectory }: Configuration, variables: Variables): string | null {
  if (bundleCache === 'off') return null;
  const { XDG_CACHE_HOME: caches, HOME: home } = variables;
  return cacheDirectory ?? absolute(caches) ?? absolute(home === undefined ? undefined : `${home}/.cache`);
}

/** Absolute folder of what this user granted; null for none. Read like the one above. */
export function grantsFolder(variables: Variables): string | null {
  const { SVC_GRANTS_DIR: named, XDG_STATE_HOME: states, HOME: home } = variables;
  if (named !== undefined && named !== '') return absolute(named);
  return stateFolder({ XDG_STATE_HOME: states, HOME: home }, 'grants');
}

/** Absolute folder of what sessions of code mode leave where no project says (code-mode.md §1); null for none. */
export function codeFolder(variables: Variables): string | null {
  return stateFolder(variables, 'code');
}

function stateFolder({ XDG_STATE_HOME: states, HOME: home }: Variables, name: string): string | null {
  const own = absolute(home);
  const state = absolute(states) ?? (own === null ? null : `${own}/.local/state`);
  return state === null ? null : `${state}/svc/${name}`;
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) && !path.includes('\0') ? path : null;
}
