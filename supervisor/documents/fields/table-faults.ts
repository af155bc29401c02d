import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { didYouMean, oneOfNames } from '../../../contract/names/suggestion.ts';
import type { LocatedFault } from '../located-fault.ts';
import { allowedRemedy, brokenRuleText, withoutQuotes } from '../rule-words.ts';
import { withRenamed } from '../renamed.ts';
import type { Checked } from './check.ts';
import { expectationOf, kindOf } from './expectation.ts';
import type { LocatedViolation } from './violation.ts';

/** A document can break its table a hundred thousand times; more than these are not reported. */
const VIOLATIONS_MAX = 64;

/**
 * Where a value breaks its table of fields, in words: the fault that a command reports first, then others in its order.
 */
export function tableFaults(
  checked: Checked<unknown>,
  diagnosticOf: (violation: LocatedViolation) => Diagnostic,
): readonly LocatedFault[] {
  if (checked.status !== 'invalid') return [];
  const { violation: first, violations } = checked;
  return withRenamed(
    [first, ...violations.filter((one) => one !== first).slice(0, VIOLATIONS_MAX)].map((violation) => ({
      diagnostic: diagnosticOf(violation),
      at: placeOf(violation),
      problem: problemOf(violation),
      remedy: remedyOf(violation),
      ...memberOf(violation),
    })),
  );
}

function placeOf({ place, unknownKey }: LocatedViolation): readonly string[] {
  return unknownKey === null ? place : [...place, unknownKey];
}

function memberOf({ rule }: LocatedViolation): Pick<LocatedFault, 'member'> {
  if (rule === 'required') return { member: 'missing' };
  return rule === 'unknown_property' ? { member: 'unknown' } : {};
}

function problemOf(violation: LocatedViolation): string {
  const { rule, facts, expects, rivals, unknownKey } = violation;
  if (rivals.length > 0) return 'the member may not stand beside the other';
  if (rule === 'pattern' && unknownKey !== null) return 'the key does not have the form that is asked for';
  const isExclusive =
    expects !== null && 'kind' in expects && expects.kind === 'number' && expects.above && rule === 'minimum';
  const kind = expects !== null && 'kind' in expects ? kindOf(expects) : null;
  return brokenRuleText({
    rule,
    bound: isExclusive ? null : (facts.bound ?? null),
    unit: 'bytes',
    kind,
    allowed: allowedOf(violation),
  });
}

/** As JSON. */
function allowedOf({ expects }: LocatedViolation): readonly string[] | null {
  return expects !== null && 'kind' in expects && expects.kind === 'enum'
    ? expects.values.map((value) => JSON.stringify(value))
    : null;
}

function remedyOf(violation: LocatedViolation): string {
  const { rule, facts, expects, unknownKey, given, place, rivals } = violation;
  const wanted = expects === null ? null : 'kind' in expects ? expectationOf(expects) : expects.words;
  switch (rule) {
    case 'unknown_property':
      if (rivals.length > 0) return `keep ${oneOfNames(rivals)}`;
      return (
        didYouMean(unknownKey ?? '', facts.allowed ?? []) ?? `remove it, or write ${oneOfNames(facts.allowed ?? [])}`
      );
    case 'required':
      // The last of the place is the missing name, which the table declares.
      return `add "${place.at(-1) ?? ''}": ${wanted ?? 'a value'}`;
    case 'enum':
    case 'const':
      return allowedRemedy(given ?? '', allowedOf(violation) ?? []);
    case 'unique_items':
      return 'list each item once';
    case 'type':
      return `write ${wanted ?? 'a value of the type that is asked for'}${expects !== null && 'kind' in expects ? withoutQuotes(given, [expects.kind]) : ''}`;
    default:
      if (wanted === null) return 'write what the reference page of the document asks for';
      return unknownKey === null ? `write ${wanted}` : `write as the key ${wanted}`;
  }
}
