import type { Explanation, FaultPlace } from '../../supervisor/documents/explain/explanation.ts';
import { nearestNames } from '../parser/nearest.ts';
import { onOneLine, quotedName } from './printable.ts';

/** Characters of a key that are shown; a longer one is cut. */
const KEY_LENGTH_MAX = 60;

/**
 * What the first mistyped key may have meant, from the names of the table alone (documents.md §14.3); null for no
 * guess. A required name that seems to be missing is often one that is mistyped, so that further faults count too.
 */
export function suggestionOf({ place, further }: Explanation): string | null {
  const suggestions = [...(place === null ? [] : [place]), ...further].map(suggestionAt);
  return suggestions.find((suggestion) => suggestion !== null) ?? null;
}

function suggestionAt({ unknownKey, allowed }: FaultPlace): string | null {
  const [nearest] = unknownKey === null ? [] : nearestNames(unknownKey, allowed);
  return nearest === undefined ? null : `did you mean ${nearest}?`;
}

/**
 * The place of a fault for a person at a terminal, below the failure line: `file:line:column`, the line cut to its key
 * and a caret, then other faults of the document (documents.md §14). Values are never shown, nor what else is on the line.
 */
export function explanationLines({ file, place, further }: Explanation): readonly string[] {
  const name = quotedName(file);
  const lines = place === null ? [] : [`  at ${name}:${positionText(place)}`, ...keyLines(place)];
  const others = further.flatMap((fault) => {
    const pointer = fault.path === '' ? '' : ` at ${quotedName(fault.path)}`;
    return [`also ${name}:${positionText(fault)}: ${onOneLine(fault.message)}${pointer}`, ...keyLines(fault)];
  });
  return [...lines, ...others];
}

function positionText({ line, column }: FaultPlace): string {
  return `${String(line)}:${String(column)}`;
}

function keyLines(place: FaultPlace): readonly string[] {
  if (place.key === null) return [];
  const characters = Array.from(onOneLine(place.key));
  const shown = characters.length > KEY_LENGTH_MAX ? `${characters.slice(0, KEY_LENGTH_MAX - 1).join('')}…` : characters.join('');
  const number = String(place.line);
  const caret = '^'.repeat(Math.min(characters.length, KEY_LENGTH_MAX));
  const suggestion = suggestionAt(place);
  return [`  ${number} | ${shown}`, `  ${' '.repeat(number.length)} | ${caret}${suggestion === null ? '' : ` ${suggestion}`}`];
}
