import type { SchemaFacts, SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';
import type { Shape, TextPattern } from './shape.ts';

export interface FieldViolation {
  /** Safe to publish: declared names, indexes and `*` only. */
  readonly path: readonly string[];
  readonly rule: SchemaRule;
  /** What the table of fields, and nobody else, may say in a message. */
  readonly facts: SchemaFacts;
}

/** A violation with what only its author may see: the real keys on the way, and the key that is unknown. */
export interface LocatedViolation extends FieldViolation {
  readonly place: readonly string[];
  /** The key itself is at fault: it is unknown, or has no form that keys there may have. */
  readonly unknownKey: string | null;
  /** What the table wants at the place; null where the rule says it all. */
  readonly expects: Shape | TextPattern | null;
  /** The text at a place where it is not allowed; null for other faults. Never to be shown. */
  readonly given: string | null;
  /** Members of which one alone may be there, where the one that is unknown is another of them; else empty. */
  readonly rivals: readonly string[];
}

export function violation(path: readonly string[], rule: SchemaRule, facts: SchemaFacts = {}): FieldViolation {
  return { path, rule, facts };
}

/**
 * The one violation to report: the deepest path, a concrete rule before a collective one, then byte order
 * (documents.md §13). Null for none.
 */
export function mostSpecific<V extends FieldViolation>(violations: readonly V[]): V | null {
  let chosen: V | null = null;
  for (const candidate of violations) {
    if (chosen === null || precedes(candidate, chosen)) chosen = candidate;
  }
  return chosen;
}

function precedes(left: FieldViolation, right: FieldViolation): boolean {
  if (left.path.length !== right.path.length) return left.path.length > right.path.length;
  if (isCollective(left.rule) !== isCollective(right.rule)) return isCollective(right.rule);
  const differs = left.path.findIndex((token, index) => token !== right.path[index]);
  if (differs === -1) return left.rule < right.rule;
  // Published paths hold declared names, digits and `*`: ASCII, so code units order them, with their slashes, as bytes
  // do.
  return `${left.path[differs] ?? ''}/` < `${right.path[differs] ?? ''}/`;
}

function isCollective(rule: SchemaRule): boolean {
  return rule === 'one_of' || rule === 'schema';
}
