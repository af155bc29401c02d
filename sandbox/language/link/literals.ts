import { badValue } from '../../runtime/errors.ts';
import { printString } from '../../runtime/print.ts';
import { ABSENT } from '../../runtime/values/map.ts';
import { EMPTY_SET, setFrom, type LispSet } from '../../runtime/values/set.ts';

/** A set literal; an element computed twice raises "Duplicate key" (language.md §2). */
export function setLiteral(elements: readonly unknown[], meta: unknown = null): LispSet {
  const made = setFrom(elements, meta);
  if (made.count === elements.length) return made;
  let seen: LispSet = EMPTY_SET;
  for (const element of elements) {
    if (seen.lookup(element) !== ABSENT) throw badValue(`Duplicate key: ${printString(element)}`);
    seen = seen.conj(element);
  }
  return made;
}
