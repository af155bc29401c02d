import { displayString } from '../../../runtime/print.ts';
import type { Syntax } from '../../syntax.ts';

/** Whether two texts read as the same forms, at any places. */
export function readAlike(one: readonly Syntax[], other: readonly Syntax[]): boolean {
  return one.length === other.length && one.every((node, index) => isAlike(node, other[index]));
}

function isAlike(one: Syntax, other: Syntax | undefined): boolean {
  if (other === undefined || one.kind !== other.kind) return false;
  if ('metadata' in one && 'metadata' in other && !readAlike(one.metadata, other.metadata)) return false;
  switch (one.kind) {
    case 'literal':
      return other.kind === 'literal' && isSameValue(one.value, other.value);
    case 'keyword':
      return (
        other.kind === 'keyword' &&
        one.name === other.name &&
        one.namespace === other.namespace &&
        one.automatic === other.automatic
      );
    case 'symbol':
      return other.kind === 'symbol' && one.name === other.name && one.namespace === other.namespace;
    case 'regex':
      return other.kind === 'regex' && one.pattern === other.pattern;
    case 'list':
      return other.kind === 'list' && one.prefix === other.prefix && readAlike(one.items, other.items);
    case 'vector':
    case 'map':
    case 'set':
      return 'items' in other && readAlike(one.items, other.items);
    case 'short-function':
      return (
        other.kind === 'short-function' &&
        one.parameters === other.parameters &&
        one.rest === other.rest &&
        isAlike(one.body, other.body)
      );
    case 'placeholder':
      return false;
  }
}

/** Values of one text that were read twice: primitives, or objects that print as what they were read from. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  return typeof one === 'object' && typeof other === 'object' && displayString(one) === displayString(other);
}
