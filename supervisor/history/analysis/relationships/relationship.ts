import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { Showing, ShownRelationship } from '../../../../contract/viewer-answers.ts';
import { members } from '../members.ts';

/**
 * complete: proved. ambiguous: more than one. incomplete: this capture cannot say. unavailable: looked for, and there
 * is none.
 */
export type RelationshipState = 'complete' | 'ambiguous' | 'incomplete' | 'unavailable';

export interface Relationship {
  readonly rel: string;
  readonly semantics: 'causation' | 'nesting' | 'association' | 'dependency';
  readonly target: string;
  /** Reading the target with exactly these follows it; null is never followed. */
  readonly filters: Readonly<Record<string, JsonValue | undefined>> | null;
  readonly state: RelationshipState;
}

export function relationship({ rel, semantics, target, filters, state }: Relationship): JsonObject {
  return members({
    rel,
    semantics,
    target_collection: target,
    filters: filters === null ? null : members(filters),
    state,
  } satisfies Showing<ShownRelationship>);
}
