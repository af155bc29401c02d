import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { SchemaFacts, SchemaRule } from '../../../contract/diagnostics/messages/documents.ts';
import { integerOf, isJsonArray, isJsonFloat, isJsonInteger, isJsonObject } from '../../../contract/json/value.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { matches } from './patterns.ts';
import type { ChoiceShape, Decoded, EnumShape, ListShape, MapShape, ObjectShape, Shape, TextShape } from './shape.ts';
import { mostTelling, violation } from './violation.ts';
import type { LocatedViolation, Violation } from './violation.ts';

/** Asked now and then whether the time of one document is used up (documents.md §1, budget). */
export type Expired = () => boolean;

export type Checked<T> =
  | { readonly status: 'valid'; readonly value: T }
  | { readonly status: 'invalid'; readonly violation: Violation }
  | { readonly status: 'exhausted' };

/**
 * Checks a decoded JSON value against a table of fields and gives the typed value with defaults filled in. Objects
 * become plain objects of declared names, maps become Maps in byte order of their keys, integral floats in integer
 * fields become integers. Of all violations the one of documents.md §13 is returned.
 */
export function check<S extends Shape>(shape: S, value: JsonValue, expired: Expired = never): Checked<Decoded<S>> {
  const run: Run = { violations: [], visits: 0, exhausted: false, expired };
  const decoded = visit(run, shape, value, ROOT);
  if (run.exhausted) return { status: 'exhausted' };
  if (satisfies<S>(run, decoded)) return { status: 'valid', value: decoded };
  const chosen = mostTelling(run.violations);
  if (chosen === null) throw new Error('a value that a table refuses breaks a rule of it');
  return { status: 'invalid', violation: violation(chosen.path, chosen.rule, chosen.facts) };
}

/** Every rule that the value breaks, and where, for the eyes of its author alone (documents.md §14). */
export function violationsOf(shape: Shape, value: JsonValue): readonly LocatedViolation[] {
  const run: Run = { violations: [], visits: 0, exhausted: false, expired: never };
  visit(run, shape, value, ROOT);
  return run.violations;
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
  /** What stands in the document: differs from the token below a map. */
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

function refuse(run: Run, place: Place, rule: SchemaRule, facts: SchemaFacts = {}, unknownKey: string | null = null): undefined {
  run.violations.push({ ...violation(pathOf(place), rule, facts), place: keysOf(place), unknownKey });
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
      if (number === undefined) return refuse(run, place, 'type');
      return visitBounds(run, shape.minimum, shape.maximum, number, place);
    }
    case 'number': {
      if (!isJsonFloat(value) && !isJsonInteger(value)) return refuse(run, place, 'type');
      const number = isJsonFloat(value) ? value.value : value;
      if (shape.above && number === shape.minimum) return refuse(run, place, 'minimum', { bound: shape.minimum });
      return visitBounds(run, shape.minimum, shape.maximum, number, place);
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse(run, place, 'type');
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
    case 'free':
      return isJsonObject(value) ? value : refuse(run, place, 'type');
    case 'any':
      return value;
  }
}

function visitText(run: Run, shape: TextShape, value: JsonValue, place: Place): string | undefined {
  if (typeof value !== 'string') return refuse(run, place, 'type');
  if (value.length < shape.minimum) return refuse(run, place, 'min_length', { bound: shape.minimum });
  if (value.length > shape.maximum || Buffer.byteLength(value) > shape.maximum) {
    return refuse(run, place, 'max_length', { bound: shape.maximum });
  }
  if (shape.pattern !== null && !matches(shape.pattern, value)) return refuse(run, place, 'pattern');
  return value;
}

function visitBounds(run: Run, minimum: number, maximum: number, number: number | bigint, place: Place): number | undefined {
  if (number < minimum) return refuse(run, place, 'minimum', { bound: minimum });
  if (number > maximum) return refuse(run, place, 'maximum', { bound: maximum });
  return Number(number);
}

function visitEnum(run: Run, shape: EnumShape, value: JsonValue, place: Place): string | number | boolean | null | undefined {
  const plain = isJsonFloat(value) ? integerOf(value) : value;
  const found = shape.values.find((allowed) => allowed === plain);
  if (found !== undefined) return found;
  const [constant, ...others] = shape.values.map(String);
  if (constant !== undefined && others.length === 0) return refuse(run, place, 'const', { expected: constant });
  return refuse(run, place, 'enum', { allowed: shape.values.map(String) });
}

function visitList(run: Run, shape: ListShape, value: JsonValue, place: Place): readonly unknown[] | undefined {
  if (!isJsonArray(value)) return refuse(run, place, 'type');
  if (value.length < shape.minimum) refuse(run, place, 'min_items', { bound: shape.minimum });
  if (value.length > shape.maximum) refuse(run, place, 'max_items', { bound: shape.maximum });
  if (shape.unique === 'checked' && new Set(value).size < value.length) refuse(run, place, 'unique_items');
  return value.map((item, index) => visit(run, shape.items, item, below(place, String(index))));
}

function visitMap(run: Run, shape: MapShape, value: JsonValue, place: Place): ReadonlyMap<string, unknown> | undefined {
  if (!isJsonObject(value)) return refuse(run, place, 'type');
  if (value.size < shape.minimum) refuse(run, place, 'min_properties', { bound: shape.minimum });
  if (value.size > shape.maximum) refuse(run, place, 'max_properties', { bound: shape.maximum });
  // A key is the caller's: it is published as `*`, and not at all where `*` itself could be a key.
  const hidden = matches(shape.keys, '*');
  const decoded = new Map<string, unknown>();
  for (const key of [...value.keys()].toSorted(compareUtf8)) {
    if (!matches(shape.keys, key)) refuse(run, place, 'pattern');
    decoded.set(key, visit(run, shape.values, value.get(key) ?? null, below(place, '*', key, hidden)));
  }
  return decoded;
}

function visitObject(run: Run, shape: ObjectShape, value: JsonValue, place: Place): object | undefined {
  if (!isJsonObject(value)) return refuse(run, place, 'type');
  for (const key of value.keys()) {
    if (!Object.hasOwn(shape.fields, key)) {
      refuse(run, place, 'unknown_property', { allowed: Object.keys(shape.fields) }, key);
    }
  }
  const decoded: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape.fields)) {
    const given = value.get(name);
    if (given !== undefined) decoded[name] = visit(run, field.shape, given, below(place, name));
    else if (field.presence.kind === 'required') refuse(run, below(place, name), 'required');
    else if (field.presence.kind === 'default') decoded[name] = visit(run, field.shape, field.presence.value, below(place, name));
  }
  return decoded;
}

/**
 * Reports the branch that the discriminator names; where it names none or several, the branch with the fewest
 * failures of constants, then of `required`, then in all (documents.md §13).
 */
function visitChoice(run: Run, shape: ChoiceShape, value: JsonValue, place: Place): unknown {
  if (!isJsonObject(value)) return refuse(run, place, 'type');
  const { discriminator } = shape;
  const tag = discriminator === null ? undefined : value.get(discriminator);
  const named = shape.branches.filter(
    (branch) => discriminator !== null && tag !== undefined && tagsOf(branch, discriminator).includes(tag),
  );
  const [only, second] = named;
  if (only !== undefined && second === undefined) return visitObject(run, only, value, place);
  const outer = run.violations;
  let best: { readonly decoded: unknown; readonly violations: LocatedViolation[]; readonly score: Score } | null = null;
  for (const branch of named.length > 0 ? named : shape.branches) {
    run.violations = [];
    const decoded = visitObject(run, branch, value, place);
    const violations = run.violations;
    const score = scoreOf(violations, [...pathOf(place), discriminator]);
    if (best === null || isLess(score, best.score)) best = { decoded, violations, score };
    if (violations.length === 0) break;
  }
  run.violations = outer;
  if (best === null) return refuse(run, place, 'one_of');
  // The branch was only the nearest: what the discriminator may be is said by all of them.
  const tags = discriminator === null ? [] : shape.branches.flatMap((branch) => tagsOf(branch, discriminator));
  const tagPath = discriminator === null ? null : pathOf(below(place, discriminator)).join('/');
  for (const one of best.violations) {
    const ofTag = one.path.join('/') === tagPath && (one.rule === 'const' || one.rule === 'enum');
    run.violations.push(ofTag ? { ...one, rule: 'enum', facts: { allowed: [...new Set(tags.map(String))] } } : one);
  }
  return best.decoded;
}

type Score = readonly [constants: number, required: number, total: number];

/** Constants among a branch's own fields tell branches apart as the discriminator does. */
function scoreOf(violations: readonly Violation[], tagPath: readonly (string | null)[]): Score {
  const constants = violations.filter(({ rule, path }) => {
    if (path.length !== tagPath.length) return false;
    return rule === 'const' || (rule === 'enum' && path.at(-1) === tagPath.at(-1));
  }).length;
  return [constants, violations.filter(({ rule }) => rule === 'required').length, violations.length];
}

function isLess(left: Score, right: Score): boolean {
  const [constants, required, total] = left;
  if (constants !== right[0]) return constants < right[0];
  return required !== right[1] ? required < right[1] : total < right[2];
}

function tagsOf(branch: ObjectShape, discriminator: string): readonly JsonValue[] {
  const field = branch.fields[discriminator];
  return field !== undefined && field.shape.kind === 'enum' ? field.shape.values : [];
}
