import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { SchemaFacts, SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';
import {
  integerOf,
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { nearestNames } from '../../../contract/names/nearest.ts';
import { matches } from './patterns.ts';
import type {
  ChoiceShape,
  Decoded,
  EnumShape,
  IntegerShape,
  ListShape,
  MapShape,
  NumberShape,
  ObjectShape,
  Shape,
  TextShape,
} from './shape.ts';
import { mostSpecific, violation, type LocatedViolation } from './violation.ts';

/** Asked now and then whether the time of one document is used up (documents.md §1, budget). */
export type Expired = () => boolean;

export type Checked<T> =
  | { readonly status: 'valid'; readonly value: T }
  | {
      readonly status: 'invalid';
      /** The one of documents.md §13. */
      readonly violation: LocatedViolation;
      /** Every rule that the value breaks, and where, for the eyes of its author alone (documents.md §14). */
      readonly violations: readonly LocatedViolation[];
    }
  | { readonly status: 'exhausted' };

/**
 * Checks a decoded JSON value against a table of fields and gives the typed value with defaults filled in. Objects
 * become plain objects of declared names, maps become Maps in byte order of their keys, integral floats in integer
 * fields become integers.
 */
export function check<S extends Shape>(shape: S, value: JsonValue, expired: Expired = never): Checked<Decoded<S>> {
  const run: Run = { violations: [], visits: 0, exhausted: false, expired };
  const decoded = visit(run, shape, value, ROOT);
  if (run.exhausted) return { status: 'exhausted' };
  if (satisfies<S>(run, decoded)) return { status: 'valid', value: decoded };
  const chosen = mostSpecific(run.violations);
  if (chosen === null) throw new Error('a value that a table refuses breaks a rule of it');
  return { status: 'invalid', violation: chosen, violations: run.violations };
}

/**
 * Whether the visit refused nothing: then it built exactly what `Decoded` computes from the same table, which
 * TypeScript cannot follow at run time.
 */
function satisfies<S extends Shape>(run: Run, decoded: unknown): decoded is Decoded<S> {
  return run.violations.length === 0 && decoded !== undefined;
}

const never: Expired = () => false;

/** Values between two looks at the clock. */
const VISITS_PER_LOOK = 1024;

interface Run {
  violations: LocatedViolation[];
  visits: number;
  exhausted: boolean;
  readonly expired: Expired;
}

/** A place in the document; `hidden` once a key on the way may not be published. */
interface Place {
  readonly above: Place | null;
  readonly token: string;
  /** What is in the document: differs from the token below a map. */
  readonly key: string;
  readonly hidden: boolean;
}

const ROOT: Place = { above: null, token: '', key: '', hidden: false };

function below(place: Place, token: string, key = token, hidden = false): Place {
  return { above: place, token, key, hidden: place.hidden || hidden };
}

function pathOf(place: Place): readonly string[] {
  const path: string[] = [];
  for (let at: Place = place; at.above !== null; at = at.above) {
    if (!at.hidden) path.push(at.token);
  }
  return path.reverse();
}

function keysOf(place: Place): readonly string[] {
  const keys: string[] = [];
  for (let at: Place = place; at.above !== null; at = at.above) keys.push(at.key);
  return keys.reverse();
}

type Expected = LocatedViolation['expects'];

function refuse(
  run: Run,
  place: Place,
  rule: SchemaRule,
  expects: Expected,
  facts: SchemaFacts = {},
  words: Partial<Pick<LocatedViolation, 'unknownKey' | 'given'>> = {},
): undefined {
  run.violations.push({
    ...violation(pathOf(place), rule, facts),
    place: keysOf(place),
    unknownKey: null,
    given: null,
    rivals: [],
    expects,
    ...words,
  });
}

function visit(run: Run, shape: Shape, value: JsonValue, place: Place): unknown {
  run.visits += 1;
  if (run.visits % VISITS_PER_LOOK === 0 && run.expired()) run.exhausted = true;
  if (run.exhausted) return undefined;
  switch (shape.kind) {
    case 'text':
      return visitText(run, shape, value, place);
    case 'integer': {
      const number = integerOf(value);
      if (number === undefined) return refuse(run, place, 'type', shape, {}, { given: textOf(value) });
      return visitBounds(run, shape, number, place);
    }
    case 'number': {
      if (!isJsonFloat(value) && !isJsonInteger(value))
        return refuse(run, place, 'type', shape, {}, { given: textOf(value) });
      const number = isJsonFloat(value) ? value.value : value;
      if (shape.above && number === shape.minimum)
        return refuse(run, place, 'minimum', shape, { bound: shape.minimum });
      return visitBounds(run, shape, number, place);
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse(run, place, 'type', shape, {}, { given: textOf(value) });
    case 'enum':
      return visitEnum(run, shape, value, place);
    case 'list':
      return visitList(run, shape, value, place);
    case 'map':
      return visitMap(run, shape, value, place);
    case 'object':
      return visitObject(run, shape, value, place);
    case 'choice':
      return visitChoice(run, shape, value, place);
    case 'either':
      if (typeof value === 'string') return visitText(run, shape.text, value, place);
      return isJsonObject(value) ? visitObject(run, shape.object, value, place) : refuse(run, place, 'type', shape);
    case 'listed':
      return visit(run, isJsonArray(value) ? shape.list : shape.item, value, place);
    case 'free':
      return isJsonObject(value) ? value : refuse(run, place, 'type', shape);
    case 'any':
      return value;
  }
}

function textOf(value: JsonValue): string | null {
  return typeof value === 'string' ? value : null;
}

function visitText(run: Run, shape: TextShape, value: JsonValue, place: Place): string | undefined {
  if (typeof value !== 'string') return refuse(run, place, 'type', shape);
  if (value.length < shape.minimum) return refuse(run, place, 'min_length', shape, { bound: shape.minimum });
  if (value.length > shape.maximum || Buffer.byteLength(value) > shape.maximum) {
    return refuse(run, place, 'max_length', shape, { bound: shape.maximum });
  }
  if (shape.pattern !== null && !matches(shape.pattern, value)) return refuse(run, place, 'pattern', shape);
  return value;
}

function visitBounds(
  run: Run,
  shape: IntegerShape | NumberShape,
  number: number | bigint,
  place: Place,
): number | undefined {
  const { minimum, maximum } = shape;
  if (number < minimum) return refuse(run, place, 'minimum', shape, { bound: minimum });
  if (number > maximum) return refuse(run, place, 'maximum', shape, { bound: maximum });
  return Number(number);
}

function visitEnum(
  run: Run,
  shape: EnumShape,
  value: JsonValue,
  place: Place,
): string | number | boolean | null | undefined {
  const plain = isJsonFloat(value) ? integerOf(value) : value;
  const found = shape.values.find((allowed) => allowed === plain);
  if (found !== undefined) return found;
  const [constant, ...others] = shape.values.map(String);
  if (constant !== undefined && others.length === 0)
    return refuse(run, place, 'const', shape, { expected: constant }, { given: textOf(value) });
  return refuse(run, place, 'enum', shape, { allowed: shape.values.map(String) }, { given: textOf(value) });
}

function visitList(run: Run, shape: ListShape, value: JsonValue, place: Place): readonly unknown[] | undefined {
  if (!isJsonArray(value)) return refuse(run, place, 'type', shape);
  if (value.length < shape.minimum) refuse(run, place, 'min_items', shape, { bound: shape.minimum });
  if (value.length > shape.maximum) refuse(run, place, 'max_items', shape, { bound: shape.maximum });
  if (shape.unique === 'checked' && new Set(value).size < value.length) refuse(run, place, 'unique_items', null);
  return value.map((item, index) => visit(run, shape.items, item, below(place, String(index))));
}

function visitMap(run: Run, shape: MapShape, value: JsonValue, place: Place): ReadonlyMap<string, unknown> | undefined {
  if (!isJsonObject(value)) return refuse(run, place, 'type', shape);
  if (value.size < shape.minimum) refuse(run, place, 'min_properties', shape, { bound: shape.minimum });
  if (value.size > shape.maximum) refuse(run, place, 'max_properties', shape, { bound: shape.maximum });
  // A key is the caller's: it is published as `*`, and not at all where `*` itself could be a key.
  const hidden = matches(shape.keys, '*');
  const decoded = new Map<string, unknown>();
  for (const key of [...value.keys()].toSorted(compareUtf8)) {
    if (!matches(shape.keys, key)) refuse(run, place, 'pattern', shape.keys, {}, { unknownKey: key });
    decoded.set(key, visit(run, shape.values, value.get(key) ?? null, below(place, '*', key, hidden)));
  }
  return decoded;
}

function visitObject(run: Run, shape: ObjectShape, value: JsonValue, place: Place): object | undefined {
  if (!isJsonObject(value)) return refuse(run, place, 'type', shape);
  for (const key of value.keys()) {
    if (!Object.hasOwn(shape.fields, key)) {
      refuse(run, place, 'unknown_property', null, { allowed: Object.keys(shape.fields) }, { unknownKey: key });
    }
  }
  const decoded: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape.fields)) {
    const input = value.get(name);
    if (input !== undefined) decoded[name] = visit(run, field.shape, input, below(place, name));
    else if (field.presence.kind === 'required') refuse(run, below(place, name), 'required', field.shape);
    else if (field.presence.kind === 'default')
      decoded[name] = visit(run, field.shape, field.presence.value, below(place, name));
  }
  return decoded;
}

/**
 * Reports the branch that the discriminator names; where it names none or several, the branch with the fewest
 * failures of constants, then of `required`, then in all (documents.md §13).
 */
function visitChoice(run: Run, shape: ChoiceShape, value: JsonValue, place: Place): unknown {
  if (!isJsonObject(value)) return refuse(run, place, 'type', shape);
  const { discriminator } = shape;
  const tag = discriminator === null ? undefined : value.get(discriminator);
  const named = shape.branches.filter(
    (branch) => discriminator !== null && tag !== undefined && tagsOf(branch, discriminator).some((one) => one === tag),
  );
  const [only, second] = named;
  if (only !== undefined && second === undefined) return visitObject(run, only, value, place);
  const outer = run.violations;
  let best: { readonly decoded: unknown; readonly violations: LocatedViolation[]; readonly score: Score } | null = null;
  for (const branch of named.length > 0 ? named : shape.branches) {
    run.violations = [];
    const decoded = visitObject(run, branch, value, place);
    const violations = run.violations;
    const score = scoreOf(violations, [...pathOf(place), discriminator], branch);
    if (best === null || isLess(score, best.score)) best = { decoded, violations, score };
    if (violations.length === 0) break;
  }
  run.violations = outer;
  if (best === null) return refuse(run, place, 'one_of', shape);
  const untagged =
    discriminator === null
      ? undefined
      : untaggedOf(shape, discriminator, best.violations, keysOf(below(place, discriminator)));
  const reported =
    untagged === undefined
      ? best.violations.map((one) => withRivals(shape, one, keysOf(place)))
      : [untagged, ...foreignKeys(shape, untagged, best.violations, keysOf(place))];
  run.violations.push(...reported);
  return best.decoded;
}

/**
 * What is wrong with the discriminator itself. The branch was only the nearest: what the value lacks of it says
 * nothing, and what the discriminator may be is said by all branches.
 */
function untaggedOf(
  shape: ChoiceShape,
  discriminator: string,
  violations: readonly LocatedViolation[],
  keys: readonly string[],
): LocatedViolation | undefined {
  const found = violations.find((one) => isSamePlace(one.place, keys));
  if (found === undefined) return undefined;
  const tags = [...new Set(shape.branches.flatMap((branch) => tagsOf(branch, discriminator)))];
  if (found.rule === 'required') return { ...found, expects: { kind: 'enum', values: tags } };
  if (found.rule !== 'const' && found.rule !== 'enum') return found;
  return { ...found, rule: 'enum', expects: { kind: 'enum', values: tags }, facts: { allowed: tags.map(String) } };
}

/** Beside a discriminator that is missing: members that no branch has, among which it may be mistyped. */
function foreignKeys(
  { branches }: ChoiceShape,
  { rule }: LocatedViolation,
  violations: readonly LocatedViolation[],
  keys: readonly string[],
): readonly LocatedViolation[] {
  if (rule !== 'required') return [];
  return violations.filter(
    ({ unknownKey, place }) =>
      unknownKey !== null &&
      isSamePlace(place, keys) &&
      branches.every(({ fields }) => !Object.hasOwn(fields, unknownKey)),
  );
}

/** A member that another branch has is not unknown: it is next to one that excludes it. */
function withRivals({ branches }: ChoiceShape, one: LocatedViolation, keys: readonly string[]): LocatedViolation {
  const { rule, place, unknownKey } = one;
  if (rule !== 'unknown_property' || unknownKey === null || !isSamePlace(place, keys)) return one;
  const names = branches.flatMap(({ fields }) => Object.keys(fields));
  const only = branches.every(({ fields }) => Object.keys(fields).length === 1);
  return only && names.includes(unknownKey) ? { ...one, rivals: names } : one;
}

function isSamePlace(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}

type Score = readonly [constants: number, required: number, total: number, distantKeys: number];

/**
 * Constants among a branch's own fields distinguish branches as the discriminator does; one that is mistyped does so
 * as well, and so do keys where nothing else does.
 */
function scoreOf(
  violations: readonly LocatedViolation[],
  tagPath: readonly (string | null)[],
  { fields }: ObjectShape,
): Score {
  const constants = violations.filter(({ rule, path, facts, given }) => {
    if (path.length !== tagPath.length) return false;
    if (rule === 'const') return nearestNames(given ?? '', [facts.expected ?? '']).length === 0;
    return rule === 'enum' && path.at(-1) === tagPath.at(-1);
  }).length;
  const names = Object.keys(fields);
  const distant = violations.filter(
    ({ unknownKey, path }) =>
      unknownKey !== null && path.length < tagPath.length && nearestNames(unknownKey, names).length === 0,
  ).length;
  return [constants, violations.filter(({ rule }) => rule === 'required').length, violations.length, distant];
}

function isLess(left: Score, right: Score): boolean {
  for (const [at, count] of left.entries()) {
    const other = right[at] ?? 0;
    if (count !== other) return count < other;
  }
  return false;
}

function tagsOf(branch: ObjectShape, discriminator: string): EnumShape['values'] {
  const field = branch.fields[discriminator];
  return field !== undefined && field.shape.kind === 'enum' ? field.shape.values : [];
}
