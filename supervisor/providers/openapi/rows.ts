import type { InstallationOf } from '../../documents/host/fields.ts';

type Rows = InstallationOf<'openapi'>['operations'];
type Row = Rows extends ReadonlyMap<string, infer R> ? R : never;

/** The row of all operations that have none of their own. */
export const EVERY_OPERATION = '*';

/** The name that a row gives; null where the OpenAPI document decides it. */
export function declaredName(upstream: string, { as }: Row): string | null {
  return upstream === EVERY_OPERATION ? null : (as ?? null);
}

/** What a row, or the method that it names, says of an operation; null where the OpenAPI document decides it. */
export function rowEffect(upstream: string, { effect }: Row): 'read' | 'write' | null {
  if (effect !== undefined) return effect;
  const [method, path] = upstream.split(' ');
  if (path === undefined) return null;
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/** Whether a row may map an operation that writes. */
export function mayWrite(upstream: string, row: Row): boolean {
  return rowEffect(upstream, row) !== 'read';
}
