import { getOr } from '../../runtime/lookup.ts';
import { visit } from '../../runtime/sequence.ts';
import { typeName } from '../../runtime/classes.ts';
import { isFloating, isInteger } from '../../runtime/values/double.ts';
import { Keyword, keyword } from '../../runtime/values/keyword.ts';
import { ABSENT, LispMap } from '../../runtime/values/map.ts';
import { Queue } from '../../runtime/values/queue.ts';
import { Seq } from '../../runtime/values/seq.ts';
import { Vector } from '../../runtime/values/vector.ts';
import { JavaDate } from '../../runtime/values/date.ts';
import { Instant } from '../../runtime/values/instant.ts';
import { typeText, type PrimitiveName, type SignatureField, type SignatureType } from './signature.ts';

/** One difference between a value and its type; never the value itself (language.md §15). */
export interface ContractError {
  readonly path: readonly string[];
  readonly expected: string;
  readonly given: string;
}

/** Errors that are reported, steps of a path and bytes of a step. */
const MAXIMUM_ERRORS = 16;
const PATH_STEPS = 32;
const STEP_LENGTH = 256;

/** What differs between a value and a type; empty when the value fits. */
export function contractErrors(value: unknown, type: SignatureType, path: readonly string[]): ContractError[] {
  const errors: ContractError[] = [];
  check(value, type, path, errors);
  return errors.slice(0, MAXIMUM_ERRORS);
}

function report(errors: ContractError[], path: readonly string[], expected: string, given: string): void {
  if (errors.length < MAXIMUM_ERRORS) {
    errors.push({ path: path.slice(0, PATH_STEPS).map((step) => step.slice(0, STEP_LENGTH)), expected, given });
  }
}

function check(value: unknown, type: SignatureType, path: readonly string[], errors: ContractError[]): void {
  if (value === null && (type.nullable || (type.kind === 'primitive' && type.name === 'any'))) return;
  switch (type.kind) {
    case 'primitive':
      if (!isPrimitive(value, type.name)) report(errors, path, typeText(type), typeName(value));
      return;
    case 'sequence':
      if (!(value instanceof Vector || value instanceof Seq || value instanceof Queue)) {
        report(errors, path, typeText(type), typeName(value));
        return;
      }
      checkElements(value, type.element, path, errors);
      return;
    case 'map':
      if (!(value instanceof LispMap)) {
        report(errors, path, typeText(type), typeName(value));
        return;
      }
      for (const field of type.fields) checkField(value, field, path, errors);
  }
}

function checkElements(value: unknown, element: SignatureType, path: readonly string[], errors: ContractError[]): void {
  let index = 0;
  visit(value, (item) => {
    check(item, element, [...path, `[${index}]`], errors);
    index += 1;
    return errors.length >= MAXIMUM_ERRORS;
  });
}

/** A field may be under keyword or string, hyphen or underscore, but only under one of them. */
function checkField(map: LispMap, field: SignatureField, path: readonly string[], errors: ContractError[]): void {
  const at = [...path, field.name];
  const texts = new Set([field.name, field.name.replaceAll('-', '_'), field.name.replaceAll('_', '-')]);
  const found = [...texts].flatMap((text) => [keyword(null, text), text]).filter((key) => map.lookup(key) !== ABSENT);
  if (found.length > 1) {
    report(errors, at, typeText(field.type), 'ambiguous');
    return;
  }
  const [key] = found;
  if (key !== undefined) check(getOr(map, key, null), field.type, at, errors);
  else if (!field.type.nullable) report(errors, at, typeText(field.type), 'missing');
}

function isPrimitive(value: unknown, name: PrimitiveName): boolean {
  switch (name) {
    case 'string':
      return typeof value === 'string';
    case 'int':
      return isInteger(value);
    case 'float':
      return isInteger(value) || isFloating(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'keyword':
      return value instanceof Keyword;
    case 'map':
      return value instanceof LispMap;
    case 'datetime':
      return value instanceof JavaDate || value instanceof Instant;
    case 'any':
      return true;
  }
}
