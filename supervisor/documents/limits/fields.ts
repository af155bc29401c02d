import { LIMITS, type LimitScope } from '../../../contract/limits/catalogue.ts';
import { integer, optional, type Field, type IntegerShape } from '../fields/shape.ts';

type Row = (typeof LIMITS)[number];
type LimitField = Field<IntegerShape, { readonly kind: 'optional' }>;

type LimitFields<S extends LimitScope> = { readonly [N in Extract<Row, { readonly scope: S }>['name']]: LimitField };

/**
 * The `limits` of a document, one optional integer for each row of the catalogue that it may write (documents.md §5).
 */
export function limitFields<const S extends LimitScope>(scopes: readonly S[]): LimitFields<S> {
  const written: readonly LimitScope[] = scopes;
  const rows = LIMITS.filter(({ scope }) => written.includes(scope));
  const fields = rows.map(({ name, minimum, maximum }) => [name, optional(integer(minimum, maximum))] as const);
  const byName = Object.fromEntries(fields);
  if (!coversScopes<S>(byName, written)) throw new Error('every row of these scopes has a field');
  return byName;
}

function coversScopes<S extends LimitScope>(
  fields: Readonly<Record<string, LimitField>>,
  scopes: readonly LimitScope[],
): fields is LimitFields<S> {
  return LIMITS.every(({ name, scope }) => scopes.includes(scope) === Object.hasOwn(fields, name));
}
