import type { SchemaFacts, SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';
import { buildPointer } from '../../../contract/json/pointer.ts';
import {
  integerOf,
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { equalValues, readNumber } from './equality.ts';
import type { ContractNode, ContractRoot, ContractType } from './schema.ts';

/** One way in which a value misses its contract; nothing in it comes from the value but indexes. */
export interface ValueViolation {
  readonly rule: SchemaRule;
  /** RFC 6901, from the value's root, declared names and indexes only. */
  readonly path: string;
  readonly facts: SchemaFacts;
  /** Which node refused which part of the value; null where a union found no branch. */
  readonly refusal: { readonly node: ContractNode; readonly path: string; readonly value: JsonValue } | null;
}

/** Violations in the order of the profile's keywords, children in byte order of their names; empty when valid. */
export function checkContractValue(root: ContractRoot, value: JsonValue): readonly ValueViolation[] {
  const violations: ValueViolation[] = [];
  if (root.kind === 'object') {
    checkNode(violations, root.node, value, []);
    return violations;
  }
  if (!isJsonObject(value)) return [{ rule: 'type', path: '', facts: { expected: 'object' }, refusal: null }];
  const { discriminator, branches } = root;
  const tag = value.get(discriminator);
  const branch = branches.find((candidate) => candidate.tag === tag);
  if (branch === undefined) {
    const rule = tag === undefined ? 'required' : 'enum';
    const facts = rule === 'enum' ? { allowed: branches.map((one) => one.tag) } : {};
    return [{ rule, path: buildPointer([discriminator]), facts, refusal: null }];
  }
  checkNode(violations, branch.node, value, []);
  return violations;
}

/** The one violation that a diagnostic reports: the first below the root, else the first (documents.md §4). */
export function chosenViolation(violations: readonly ValueViolation[]): ValueViolation | null {
  return violations.find(({ path }) => path !== '') ?? violations[0] ?? null;
}

type Path = readonly (string | number)[];

function checkNode(violations: ValueViolation[], node: ContractNode, value: JsonValue, path: Path): void {
  const refuse = (rule: SchemaRule, facts: SchemaFacts = {}, at: Path = path) => {
    violations.push({ rule, path: buildPointer(at), facts, refusal: { node, path: buildPointer(path), value } });
  };
  if (!node.types.some((type) => isOfType(value, type))) {
    refuse(
      'type',
      node.types.length === 1 && node.types[0] !== undefined ? { expected: node.types[0] } : { allowed: node.types },
    );
    return;
  }
  checkNumber(node, value, refuse);
  checkLength(node, value, refuse);
  if (node.digest && typeof value === 'string' && !/^sha256:[0-9a-f]{64}$/u.test(value)) refuse('pattern');
  if (node.constant !== null && !equalValues(node.constant.value, value)) refuse('const');
  if (node.members !== null && !node.members.some((member) => equalValues(member, value))) refuse('enum');
  if (isJsonObject(value)) checkObject(violations, node, value, path, refuse);
  if (isJsonArray(value)) checkArray(violations, node, value, path);
}

type Refuse = (rule: SchemaRule, facts?: SchemaFacts, at?: Path) => void;

function isOfType(value: JsonValue, type: ContractType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return integerOf(value) !== undefined;
    case 'number':
      return isJsonInteger(value) || isJsonFloat(value);
    case 'array':
      return isJsonArray(value);
    case 'object':
      return isJsonObject(value);
  }
}

function checkNumber({ minimum, maximum }: ContractNode, value: JsonValue, refuse: Refuse): void {
  const number = readNumber(value);
  if (number === null) return;
  if (minimum !== null && number < minimum) refuse('minimum', { bound: Number(minimum) });
  if (maximum !== null && number > maximum) refuse('maximum', { bound: Number(maximum) });
}

function checkLength(node: ContractNode, value: JsonValue, refuse: Refuse): void {
  if (typeof value === 'string' && (node.minLength !== null || node.maxLength !== null)) {
    let length = 0;
    for (const _ of value) length += 1;
    if (node.minLength !== null && length < node.minLength) refuse('min_length', { bound: node.minLength });
    if (node.maxLength !== null && length > node.maxLength) refuse('max_length', { bound: node.maxLength });
  }
  if (isJsonArray(value)) {
    if (node.minItems !== null && value.length < node.minItems) refuse('min_items', { bound: node.minItems });
    if (node.maxItems !== null && value.length > node.maxItems) refuse('max_items', { bound: node.maxItems });
  }
}

function checkObject(
  violations: ValueViolation[],
  node: ContractNode,
  value: JsonObject,
  path: Path,
  refuse: Refuse,
): void {
  for (const [name, property] of node.properties) {
    const member = value.get(name);
    if (member !== undefined) checkNode(violations, property, member, [...path, name]);
  }
  const missing = node.required.find((name) => !value.has(name));
  if (missing !== undefined) refuse('required', {}, [...path, missing]);
  const undeclared = !node.open && [...value.keys()].some((key) => !node.properties.has(key));
  if (undeclared) refuse('unknown_property', { allowed: [...node.properties.keys()] });
}

function checkArray(violations: ValueViolation[], node: ContractNode, value: readonly JsonValue[], path: Path): void {
  const { items } = node;
  if (items === null) return;
  for (const [index, item] of value.entries()) checkNode(violations, items, item, [...path, index]);
}
