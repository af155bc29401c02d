import type { SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import {
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { checkContractValue, type ValueViolation } from './check-value.ts';
import type { ContractNode, ContractRoot } from './schema.ts';

/** Violations, names of one list, and encoded bytes of one list that feedback holds at most (documents.md §4). */
const MAX_VIOLATIONS = 8;
const MAX_NAMES = 32;
const MAX_NAME_BYTES = 4096;
const MAX_MEMBER_BYTES = 1024;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9 _.:/?!-]{0,63}$/;

export type ValueKind = 'null' | 'boolean' | 'integer' | 'float' | 'string' | 'array' | 'object' | 'other';

/** Names that a contract declares; a long list is only counted. */
export type NameList = { readonly names: readonly string[] } | { readonly count: number; readonly truncated: true };

export interface ViolationFacts {
  readonly kind: SchemaRule;
  readonly path: string;
  /** A bound of the contract. */
  readonly expected?: number;
  readonly allowedKeys?: NameList;
  readonly missingRequired?: NameList;
  readonly undeclaredKeyCount?: number;
  /** Those of them whose names are plain. */
  readonly undeclaredKeys?: NameList;
  /** Of the rule `type`. */
  readonly expectedType?: string;
  readonly actualType?: ValueKind;
  /** Of the rules `enum` and `const`: what may be given, where that is few and short. */
  readonly members?: readonly JsonValue[];
}

/** What a model or an inspection may know of a value; of the value's own there are types and plain names of keys. */
export interface ValueClassification {
  readonly valueKind: ValueKind;
  /** False: the value has parts that JSON cannot say, and there are no violations. */
  readonly jsonValue: boolean;
  readonly discriminator: string | null;
  /** The tag of the branch that the value chose. */
  readonly branch: string | null;
  /** All tags, where the value chose none. */
  readonly expectedTags: NameList | null;
  /** At most 8, one for each place. */
  readonly violations: readonly ViolationFacts[];
}

/** Classifies a value for feedback; undefined takes the place of a value with parts that are not JSON. */
export function classifyValue(root: ContractRoot, value: JsonValue | undefined): ValueClassification {
  const discriminator = root.kind === 'union' ? root.discriminator : null;
  if (value === undefined) {
    return { valueKind: 'other', jsonValue: false, discriminator, branch: null, expectedTags: null, violations: [] };
  }
  const tag = isJsonObject(value) && discriminator !== null ? value.get(discriminator) : undefined;
  const tags = root.kind === 'union' ? root.branches.map((branch) => branch.tag) : [];
  const branch = tags.find((candidate) => candidate === tag) ?? null;
  return {
    valueKind: kindOf(value),
    jsonValue: true,
    discriminator,
    branch,
    expectedTags: root.kind === 'union' && branch === null ? nameList(tags) : null,
    violations: factSets(checkContractValue(root, value)),
  };
}

function kindOf(value: JsonValue): ValueKind {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  if (isJsonInteger(value)) return 'integer';
  if (isJsonFloat(value)) return 'float';
  return isJsonArray(value) ? 'array' : 'object';
}

/** One set for each place in the value, in the order of the first violation there. */
function factSets(violations: readonly ValueViolation[]): readonly ViolationFacts[] {
  const sets = new Map<string, ViolationFacts>();
  for (const violation of violations) {
    const path = violation.refusal?.path ?? violation.path;
    if (!sets.has(path) && sets.size < MAX_VIOLATIONS) sets.set(path, factsOf(violation, path));
  }
  return [...sets.values()];
}

function factsOf({ rule, facts, refusal }: ValueViolation, path: string): ViolationFacts {
  const bound = facts.bound === undefined ? {} : { expected: facts.bound };
  const keys = refusal !== null && isJsonObject(refusal.value) ? keyFacts(refusal.node, refusal.value) : {};
  const types =
    rule === 'type'
      ? {
          expectedType: refusal === null ? 'object' : refusal.node.types.join(' or '),
          ...(refusal === null ? {} : { actualType: kindOf(refusal.value) }),
        }
      : {};
  const node = refusal === null ? null : refusal.node;
  return { kind: rule, path, ...bound, ...keys, ...types, ...(node === null ? {} : membersOf(rule, node)) };
}

/** The contract is shown to the model that reads them (world.md §3.4). */
function membersOf(rule: SchemaRule, { members, constant }: ContractNode): Pick<ViolationFacts, 'members'> {
  const values = rule === 'const' && constant !== null ? [constant.value] : rule === 'enum' ? (members ?? []) : [];
  const isPlain = values.every((value) => !isJsonArray(value) && !isJsonObject(value));
  const isShort = values.length <= MAX_NAMES && Buffer.byteLength(canonicalJson(values)) <= MAX_MEMBER_BYTES;
  return values.length > 0 && isPlain && isShort ? { members: values } : {};
}

function keyFacts(node: ContractNode, value: JsonObject): Partial<ViolationFacts> {
  const missing = node.required.filter((name) => !value.has(name));
  const undeclared = node.open ? [] : [...value.keys()].filter((key) => !node.properties.has(key));
  if (missing.length === 0 && undeclared.length === 0) return {};
  return {
    allowedKeys: nameList([...node.properties.keys()]),
    ...(missing.length === 0 ? {} : { missingRequired: nameList(missing) }),
    ...(undeclared.length === 0 ? {} : { undeclaredKeyCount: undeclared.length, ...plainNames(undeclared) }),
  };
}

/** Keys of a value, reported only where each could be the name of a field. */
function plainNames(keys: readonly string[]): Pick<ViolationFacts, 'undeclaredKeys'> {
  return keys.length <= MAX_VIOLATIONS && keys.every((key) => PLAIN_NAME.test(key))
    ? { undeclaredKeys: { names: keys } }
    : {};
}

function nameList(names: readonly string[]): NameList {
  const fits = names.length <= MAX_NAMES && Buffer.byteLength(canonicalJson(names)) <= MAX_NAME_BYTES;
  return fits ? { names } : { count: names.length, truncated: true };
}

/** The JSON form of a classification, as feedback and inspection carry it. */
export function classificationJson(classification: ValueClassification): JsonObject {
  const { valueKind, jsonValue, discriminator, branch, expectedTags, violations } = classification;
  return new Map<string, JsonValue>([
    ['value_kind', valueKind],
    ['json_value', jsonValue],
    ...member('discriminator', discriminator),
    ...member('branch', branch),
    ...listMembers('expected_tags', expectedTags ?? undefined),
    ['violations', violations.map(violationJson)],
  ]);
}

function violationJson(facts: ViolationFacts): JsonObject {
  return new Map<string, JsonValue>([
    ['kind', facts.kind],
    ['path', facts.path],
    ...member('expected', facts.expected),
    ...listMembers('allowed_keys', facts.allowedKeys),
    ...listMembers('missing_required', facts.missingRequired),
    ...member('undeclared_key_count', facts.undeclaredKeyCount),
    ...listMembers('undeclared_keys', facts.undeclaredKeys),
    ...member('expected_type', facts.expectedType),
    ...member('given_type', facts.actualType),
    ...(facts.members === undefined ? [] : [['members', facts.members] as const]),
  ]);
}

type Member = readonly [string, JsonValue];

function member(name: string, value: string | number | null | undefined): readonly Member[] {
  const json = jsonFromPlain(value);
  return json === undefined || json === null ? [] : [[name, json]];
}

function listMembers(name: string, list: NameList | undefined): readonly Member[] {
  if (list === undefined) return [];
  if ('names' in list) return [[name, list.names]];
  return [
    [`${name}_count`, list.count],
    [`${name}_truncated`, true],
  ];
}
