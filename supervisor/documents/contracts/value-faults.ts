import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { didYouMean, oneOfNames } from '../../../contract/names/suggestion.ts';
import type { LocatedFault } from '../located-fault.ts';
import { withRenamed } from '../renamed.ts';
import { allowedRemedy, brokenRuleText, withoutQuotes } from '../rule-words.ts';
import { checkContractValue, chosenViolation, type ValueViolation } from './check-value.ts';
import type { ContractNode, ContractRoot } from './schema.ts';

/** Violations of one value that are looked at; each may become a few faults. */
const VIOLATIONS_MAX = 64;

/**
 * Where a value misses its contract, in words, the one that a command reports first; `above` leads to the value in its
 * document.
 */
export function valueFaults(
  root: ContractRoot,
  value: JsonValue,
  above: readonly string[],
  diagnosticOf: (violation: ValueViolation) => Diagnostic,
): readonly LocatedFault[] {
  const violations = checkContractValue(root, value);
  const chosen = chosenViolation(violations);
  if (chosen === null) return [];
  return withRenamed(
    [chosen, ...violations.filter((one) => one !== chosen).slice(0, VIOLATIONS_MAX)].flatMap((violation) => {
      const diagnostic = diagnosticOf(violation);
      const path = [...above, ...(parsePointer(violation.path) ?? [])];
      return partsOf(root, violation, path).map((part) => ({ diagnostic, problem: problemOf(violation), ...part }));
    }),
  );
}

type Part = Pick<LocatedFault, 'at' | 'member'> & { readonly remedy: string };

/** Every missing and every undeclared name of an object is a fault of its own. */
function partsOf(root: ContractRoot, violation: ValueViolation, path: readonly string[]): readonly Part[] {
  const { rule, facts, refusal } = violation;
  const value = refusal?.value;
  if (refusal !== null && isJsonObject(value ?? null) && rule === 'required') {
    const parent = path.slice(0, -1);
    const missing = refusal.node.required.filter((name) => isJsonObject(refusal.value) && !refusal.value.has(name));
    return missing.map((name) => ({
      at: [...parent, name],
      remedy: `add "${name}": ${wanted(refusal.node.properties.get(name))}`,
      member: 'missing',
    }));
  }
  if (rule === 'unknown_property' && value !== undefined && isJsonObject(value)) {
    const names = facts.allowed ?? [];
    const unknown = [...value.keys()].filter((key) => !names.includes(key));
    return unknown.map((key) => ({
      at: [...path, key],
      remedy: didYouMean(key, names) ?? `remove it${names.length === 0 ? '' : `, or write ${oneOfNames(names)}`}`,
      member: 'unknown',
    }));
  }
  return [{ at: path, remedy: remedyOf(root, violation) }];
}

function problemOf(violation: ValueViolation): string {
  const { rule, facts, refusal } = violation;
  const kind = refusal === null ? 'an object' : article(refusal.node.types.join(' or '));
  return brokenRuleText({ rule, bound: facts.bound ?? null, unit: 'characters', kind, allowed: allowedOf(violation) });
}

/** As JSON; null where there is no closed list, or one of values too long to be reported. */
function allowedOf({ rule, facts, refusal }: ValueViolation): readonly string[] | null {
  // Without a node the discriminator of a union is none of its tags.
  if (refusal === null) return facts.allowed?.map((tag) => JSON.stringify(tag)) ?? null;
  const { members, constant } = refusal.node;
  const values = rule === 'const' && constant !== null ? [constant.value] : (members ?? []);
  return values.length > 0 && values.every(isShort) ? values.map((value) => JSON.stringify(value)) : null;
}

function remedyOf(root: ContractRoot, violation: ValueViolation): string {
  const { rule, refusal } = violation;
  if (refusal === null) {
    if (rule === 'type') return 'write an object';
    if (rule === 'required' && root.kind === 'union')
      return `add "${root.discriminator}": ${oneOfNames(root.branches.map(({ tag }) => JSON.stringify(tag)))}`;
  }
  const input = typeof refusal?.value === 'string' ? refusal.value : '';
  const allowed = rule === 'enum' || rule === 'const' ? allowedOf(violation) : null;
  if (allowed !== null) return allowedRemedy(input, allowed);
  return `write ${wanted(refusal?.node)}${rule === 'type' ? withoutQuotes(input, refusal?.node.types ?? []) : ''}`;
}

/** What a node of the contract demands; its texts are its author's, like its names. */
function wanted(node: ContractNode | undefined): string {
  if (node === undefined) return 'a value';
  const { types, members, constant, digest } = node;
  if (constant !== null && isShort(constant.value)) return JSON.stringify(constant.value);
  if (members !== null && members.every(isShort)) return oneOfNames(members.map((member) => JSON.stringify(member)));
  if (digest) return 'sha256: and 64 lowercase hexadecimal digits';
  return `${article(types.join(' or '))}${bounds(node)}`;
}

function isShort(value: JsonValue): boolean {
  return (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    (typeof value === 'string' && value.length <= 64)
  );
}

function article(words: string): string {
  return `${/^[aeiou]/u.test(words) ? 'an' : 'a'} ${words}`;
}

function bounds({ minimum, maximum, minLength, maxLength, minItems, maxItems }: ContractNode): string {
  return `${between(minimum, maximum, '')}${between(minLength, maxLength, ' characters')}${between(minItems, maxItems, ' items')}`;
}

function between(least: number | bigint | null, most: number | bigint | null, unit: string): string {
  const of = unit === '' ? '' : ' of';
  if (least !== null && most !== null) return `${of === '' ? ' from' : of} ${String(least)} to ${String(most)}${unit}`;
  if (least !== null)
    return `${of} ${unit === '' ? 'from' : 'at least'} ${String(least)}${unit}${unit === '' ? ' up' : ''}`;
  return most === null ? '' : `${of} ${unit === '' ? 'up to' : 'at most'} ${String(most)}${unit}`;
}
