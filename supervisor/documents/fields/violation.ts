import type { SchemaFacts, SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';

export interface Violation {
  /** Safe to publish: declared names, indexes and `*` only. */
  readonly path: readonly string[];
  readonly rule: SchemaRule;
  /** What the table of fields, and nobody else, may say in a message. */
  readonly facts: SchemaFacts;
}

/** A violation with what only its author may see: the real keys on the way, and the key that is unknown. */
export interface LocatedViolation extends Violation {
  readonly place: readonly string[];
  readonly unknownKey: string | null;
}

export function violation(path: readonly string[], rule: SchemaRule, facts: SchemaFacts = {}): Violation {
  return { path, rule, facts };
}

/**
 * The one violation to report: the deepest path, a concrete rule before a collective one, then byte order
 * (documents.md §13). Null for none.
 */
export function mostTelling<V extends Violation>(violations: readonly V[]): V | null {
  let chosen: V | null = null;
  for (const candidate of violations) {
    if (chosen === null || precedes(candidate, chosen)) chosen = candidate;
  }
  return chosen;
}

function precedes(left: Violation, right: Violation): boolean {
  if (left.path.length !== right.path.length) return left.path.length > right.path.length;
  if (isCollective(left.rule) !== isCollective(right.rule)) return isCollective(right.rule);
  // Published paths hold declared names, digits and `*`: ASCII, so code units order them as bytes do.
  const leftKey = [...left.path, left.rule].join('/');
  const rightKey = [...right.path, right.rule].join('/');
  return leftKey < rightKey;
}

function isCollective(rule: SchemaRule): boolean {
  return rule === 'one_of' || rule === 'schema';
}
