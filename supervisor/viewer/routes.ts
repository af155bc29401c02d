import type { RouteAccess } from './gates.ts';
import { ROUTES, type Wanted } from './route-table.ts';

export type { Wanted } from './route-table.ts';

export type Match =
  | { readonly kind: 'matched'; readonly wanted: Wanted; readonly gate: RouteAccess }
  /** The path is one, the method is none of it. */
  | { readonly kind: 'other method'; readonly gate: RouteAccess; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

/** The route of a request; a path that cannot be decoded is none. */
export function routeOf(method: string, path: string): Match {
  for (const { path: pattern, methods } of ROUTES) {
    const parts = pattern.exec(path);
    if (parts === null) continue;
    if (!isDecodable(parts[1] ?? '')) return { kind: 'none' };
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (found !== undefined) return { kind: 'matched', gate: found[0], wanted: found[1](parts.slice(1)) };
    const [strictest] = Object.values(methods).map(([gate]) => gate);
    return { kind: 'other method', gate: strictest ?? 'read', allowed: Object.keys(methods) };
  }
  if (path === '/api' || path.startsWith('/api/')) return { kind: 'none' };
  if (method !== 'GET') return { kind: 'other method', gate: 'read', allowed: ['GET'] };
  return {
    kind: 'matched',
    gate: 'read',
    wanted: path.startsWith('/assets/') ? { route: 'asset', path } : { route: 'entry' },
  };
}

function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part).isWellFormed();
  } catch {
    return false;
  }
}
