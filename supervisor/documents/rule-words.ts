import type { SchemaRule } from '../../contract/diagnostics/messages/documents.ts';
import { BOUND_PROBLEMS, EMPTY_PROBLEMS, RULE_PROBLEMS } from '../../contract/diagnostics/remedies/rules.ts';
import { didYouMean, listedNames } from '../../contract/names/suggestion.ts';

/** What is known of a rule that a value breaks, whether a table of fields or a contract of an author has it. */
export interface BrokenRule {
  readonly rule: SchemaRule;
  /** Null where the rule has none, or the words of the rule would be wrong with it. */
  readonly bound: number | null;
  /** What texts are measured in. */
  readonly unit: 'bytes' | 'characters';
  /** The kind of value that is wanted, with its article; null where nothing says it. */
  readonly kind: string | null;
  /** The values that are allowed, as JSON; null where they are no closed list. */
  readonly allowed: readonly string[] | null;
}

/** What is wrong, with the range, the type, or the allowed values of the rule. */
export function brokenRuleText({ rule, bound, unit, kind, allowed }: BrokenRule): string {
  if (allowed !== null && (rule === 'enum' || rule === 'const')) return `the value is ${noneOf(allowed)}`;
  if (rule === 'type' && kind !== null) return `${kind} is wanted here`;
  const text = (bound === 1 ? EMPTY_PROBLEMS[rule] : undefined) ?? (bound === null ? undefined : BOUND_PROBLEMS[rule]);
  return text?.replace('BOUND', String(bound)).replace('UNIT', unit) ?? RULE_PROBLEMS[rule];
}

function noneOf(allowed: readonly string[]): string {
  return allowed.length === 1 ? `not ${listedNames(allowed)}` : `none of ${listedNames(allowed)}`;
}

/** What to write for a text that is none of the values that the problem lists, as JSON. */
export function allowedRemedy(input: string, allowed: readonly string[]): string {
  const texts = allowed.flatMap((one) => (one.startsWith('"') ? [one.slice(1, -1)] : []));
  const [only, second] = allowed;
  return (
    quotedByMistake(input, allowed) ??
    didYouMean(input, texts) ??
    (only !== undefined && second === undefined ? `write ${only}` : 'write one of these')
  );
}

/** A number or a flag in quotation marks; null for anything else. */
function quotedByMistake(input: string, allowed: readonly string[]): string | null {
  return allowed.includes(input) ? `write ${input} without quotation marks` : null;
}

/**
 * What follows a demand for a number or a flag where the value is in quotation marks; the text itself is not reported.
 */
export function withoutQuotes(input: string | null, kinds: readonly string[]): string {
  const isNumber =
    kinds.some((kind) => kind === 'integer' || kind === 'number') && /^-?\d+(?:\.\d+)?$/u.test(input ?? '');
  const isFlag = kinds.includes('boolean') && (input === 'true' || input === 'false');
  return isNumber || isFlag ? ', without quotation marks' : '';
}
