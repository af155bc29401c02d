import { visitContent } from '../../runtime/encoding/encode-references.ts';
import { NUMBERED_TEXT } from '../../runtime/encoding/tags.ts';
import { identitiesAssigned } from '../../runtime/values/hashing.ts';
import { visitOwnVariables } from './own-variables.ts';
import type { Session } from './session.ts';
import type { WrittenDefinitions } from './written-definitions.ts';

/**
 * The definitions of a session as they were written last, so that they are not written again when none of them has
 * changed.
 *
 * What a text says follows from what the session names and from values. Of values only the contents of holders (atoms,
 * lazy seqs, variables and so on) can change, and a new number of an object that was hashed by identity; so it is
 * enough to compare those. Nothing that changes them needs to report it.
 */

/** `text` is what the definitions of the session are written as now. */
export function writtenNow(session: Session, facts: Omit<WrittenDefinitions, 'state'>): WrittenDefinitions {
  const state: unknown[] = [];
  visitState(session, facts.holders, noting({ known: null, noted: state, at: 0, isSame: true }));
  return { ...facts, state };
}

/** Whether the definitions would be written as the same text again. */
export function isAsWritten(session: Session, { holders, state }: WrittenDefinitions): boolean {
  const walk: Walk = { known: state, noted: [], at: 0, isSame: true };
  visitState(session, holders, noting(walk));
  return walk.isSame && walk.at === state.length;
}

/** A walk over a state: along one that is known, or to note it. */
interface Walk {
  readonly known: readonly unknown[] | null;
  readonly noted: unknown[];
  at: number;
  isSame: boolean;
}

/** One function for both walks: what the engine compiled for the first over many holders then serves the second. */
function noting(walk: Walk): (part: unknown) => void {
  const { known, noted } = walk;
  return (part) => {
    if (known === null) noted.push(part);
    else if (known[walk.at] !== part) walk.isSame = false;
    walk.at += 1;
  };
}

/** Everything that the text of the definitions follows from and that may have changed. */
function visitState(session: Session, holders: readonly object[], visit: (part: unknown) => void): void {
  visit(session.numbers.last);
  visit(session.effects.hierarchy);
  visit(session.namespaces.size);
  visit(identitiesAssigned());
  visit(session.current);
  for (const [namespace, table] of session.definitions) {
    for (const [name, definition] of table) {
      visit(definition);
      visit(session.definitionSources.get(`${namespace}/${name}`));
    }
  }
  visitOwnVariables(session, visit);
  for (let i = 0; i < holders.length; i += 1) visitContent(holders[i], visit);
}

/** Whether a value is written the same whatever comes before it: it neither gets a number nor can have one. */
export function standsAlone(value: unknown): boolean {
  if (typeof value === 'string') return value.length < NUMBERED_TEXT;
  return value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
}
