/** What a program needs that the language leaves out: why the compiler may refuse a check. */
import { LATER, LEFT_OUT } from '../../language/testing/names.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';

/** Names of clojure.core that are out or to come later (functions.md §11, L). */
const NAMES: ReadonlySet<string> = new Set(`${LATER} ${LEFT_OUT}`.trim().split(/\s+/));

/** Classes and members that functions.md §18 does not have. */
const JAVA: readonly RegExp[] = [
  /\bThread\/sleep\b/,
  /\bclojure\.lang\.IPending\b/,
  /\(Object\.\)|\(new Object\)/,
  /\(new Boolean /,
  /\bSystem\/getProperty\b/,
];

/** Ratios and decimals (A2, A3), outside of strings. */
const LITERALS = /(?<![\w.*+!?<>=/&%$'-])[+-]?\d+(?:\/\d+|(?:\.\d+)?(?:[eE][+-]?\d+)?M)(?![\w.*+!?<>=/&%$'-])/;

function withoutStrings(program: string): string {
  return program.replaceAll(/\\.|"(?:[^"\\]|\\.)*"/gs, ' ');
}

/**
 * The first thing left out that a refusal is about; null where the refusal is not about any, or the program ran. The
 * compiler's word is not believed: the program has to hold that name, class or literal.
 */
export function leftOut(program: string, { reason, exception_class: raised, details }: EvaluationFault): string | null {
  if (raised !== null) return null;
  const text = withoutStrings(program);
  const acquired = new Set(text.split(/[\s()[\]{}"^@'#]+/));
  if (reason === 'parse_error') return LITERALS.exec(text)?.[0] ?? null;
  if (reason === 'unbound_var') {
    const { unbound_names: names } = details;
    const missing: readonly unknown[] = Array.isArray(names) ? names : [];
    return [...acquired].find((name) => NAMES.has(name) && missing.includes(name)) ?? null;
  }
  if (!reason.startsWith('unsupported_')) return null;
  return acquired.has('deftype')
    ? 'deftype'
    : (JAVA.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined) ?? null);
}
