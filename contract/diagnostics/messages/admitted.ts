import { wholeMatch } from '../grammar.ts';

/**
 * Characters of a message at most. The longest printed text, a list of missing capabilities, may reach 1100
 * (interface.md §2.5); ours stay below 1024.
 */
export const MESSAGE_LENGTH_MAX = 1100;
const OUR_MESSAGE_LENGTH_MAX = 1024;

const compiled = new Map<string, RegExp>();

function matches(pattern: string, message: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = wholeMatch(pattern);
    compiled.set(pattern, expression);
  }
  return expression.test(message);
}

/**
 * A message with facts, or the generic text where a fact does not qualify (a name too long, a number out of range):
 * facts may come from hostile sources, and a message never carries what its pattern does not admit.
 */
export function admitted(pattern: string, message: string, generic: string): string {
  return message.length <= OUR_MESSAGE_LENGTH_MAX && matches(pattern, message) ? message : generic;
}
