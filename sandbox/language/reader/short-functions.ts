import { parseError } from '../compile-failure.ts';
import { symbolNode, type SymbolNode } from '../syntax.ts';

/** `%1` to `%20` (language.md §2). */
const MAXIMUM_PARAMETERS = 20;

/** What a `#(…)` was found to take while its body is read. */
export interface ShortFunction {
  parameters: number;
  rest: boolean;
}

/** A `%` name inside a `#(…)`, which counts it. */
export function shortParameter(
  own: ShortFunction,
  token: string,
  place: { readonly start: number; readonly end: number },
): SymbolNode {
  if (token === '%&') {
    own.rest = true;
    return symbolNode(place, null, '%&');
  }
  const number = token === '%' ? 1 : /^%[1-9][0-9]?$/.test(token) ? Number(token.slice(1)) : 0;
  if (number < 1 || number > MAXIMUM_PARAMETERS) {
    throw parseError(`Invalid parameter ${token.slice(0, 32)}: use %, %1 to %${MAXIMUM_PARAMETERS} or %&`, place.start);
  }
  own.parameters = Math.max(own.parameters, number);
  return symbolNode(place, null, `%${number}`);
}
