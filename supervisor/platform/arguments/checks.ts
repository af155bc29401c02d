import { didYouMean } from '../../../contract/names/suggestion.ts';

/**
 * What programs that embed svc hand to it is code of theirs, mostly JavaScript: what is not as the types say is refused
 * where it is passed, with a TypeError that names the member (gateway.md §16). A table for each call says what its
 * members are.
 */

/** Where a value is: `call` as its program writes it, `path` within its argument, '' for the argument itself. */
export interface ArgumentPlace {
  readonly call: string;
  readonly path: string;
}

/** Throws TypeError for a value that is not what it should be. */
export type Check = (value: unknown, place: ArgumentPlace) => void;

/** A check for each member of a type, and for no other. */
export type Members<T> = { readonly [Name in keyof T]-?: Check };

/** Longest name of an unknown member that is repeated. */
const NAME_LENGTH = 64;

/** `words` complete the sentence "NAME is …". */
export function fits(words: string, test: (value: unknown) => boolean): Check {
  return (value, place) => {
    if (!test(value)) refuse(place, `is ${words}`);
  };
}

export const anything: Check = () => undefined;
export const flag = fits('true or false', (value) => typeof value === 'boolean');
export const nonEmptyText = fits('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const aFunction = fits('a function', (value) => typeof value === 'function');
export const bytes = fits('bytes (Uint8Array)', (value) => value instanceof Uint8Array);
export const aSignal = fits(
  'an AbortSignal',
  (value) =>
    isObject(value) &&
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    typeof Reflect.get(value, 'addEventListener') === 'function',
);

/** A whole number. */
export function count(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const words =
    most === Number.MAX_SAFE_INTEGER ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`;
  return fits(
    words,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most,
  );
}

export function numberBetween(least: number, most: number): Check {
  return fits(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  );
}

export function wordOf(...words: readonly string[]): Check {
  return fits(
    words.map((word) => `'${word}'`).join(' or '),
    (value) => typeof value === 'string' && words.includes(value),
  );
}

export function textOfLength(least: number, most: number): Check {
  return fits(
    `a text of ${least} to ${most} characters`,
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
  );
}

/** An object of any class that can be called so. */
export function withFunctions(...names: readonly string[]): Check {
  const listed =
    names.length === 1
      ? `the function ${names.join('')}`
      : `the functions ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return fits(
    `an object with ${listed}`,
    (value) => isObject(value) && names.every((name) => typeof Reflect.get(value, name) === 'function'),
  );
}

/** Left out, or undefined, which is the same. */
export function maybe(check: Check): Check {
  return (value, place) => {
    if (value !== undefined) check(value, place);
  };
}

export function orNull(check: Check): Check {
  return (value, place) => {
    if (value !== null) check(value, place);
  };
}

/** The first one where the value is a function, else the other. */
export function functionOr(check: Check, words: string): Check {
  return (value, place) => {
    if (typeof value === 'function') return;
    try {
      check(value, place);
    } catch {
      // Neither of the two: said of both at once.
      refuse(place, `is ${words}`);
    }
  };
}

export function listOf(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) refuse(place, 'is a list');
    else for (const [index, item] of value.entries()) check(item, within(place, `[${index}]`));
  };
}

/** Names of any kind, each with such a value. */
export function recordOf(check: Check): Check {
  return (value, place) => {
    for (const [name, member] of Object.entries(plainObject(value, place)))
      check(member, within(place, `.${shortened(name)}`));
  };
}

export function mapOf(key: Check, check: Check): Check {
  return (value, place) => {
    if (!(value instanceof Map)) return refuse(place, 'is a Map');
    for (const [name, member] of value) {
      key(name, within(place, ' key'));
      check(member, within(place, `.${shortened(String(name))}`));
    }
  };
}

/** An object of these members: one that it does not have is mistaken, and so is one that is not as it should be. */
export function objectWith<T>(table: Members<T>): Check {
  // Anyone who is asked for a type of some members has checked each of them.
  const checks: ReadonlyMap<string, Check> = new Map(Object.entries<Check>(table));
  return (value, place) => {
    const own = plainObject(value, place);
    for (const name of Object.keys(own)) {
      if (checks.has(name)) continue;
      const guess = didYouMean(name, [...checks.keys()]);
      refuse(place, `has no member ${shortened(name)}${guess === null ? '' : `: ${guess}`}`);
    }
    for (const [name, check] of checks) check(Reflect.get(own, name), within(place, `.${name}`));
  };
}

/** An object of the members that its own `member` decides about. */
export function membersBy(member: string, tables: Readonly<Record<string, Check>>): Check {
  const kind = wordOf(...Object.keys(tables));
  return (value, place) => {
    const word = Reflect.get(plainObject(value, place), member);
    kind(word, within(place, `.${member}`));
    tables[String(word)]?.(value, place);
  };
}

/** Checks the arguments of one call, by their names as documented. */
export function checkArguments(
  call: string,
  input: Readonly<Record<string, readonly [value: unknown, check: Check]>>,
): void {
  for (const [path, [value, check]] of Object.entries(input)) check(value, { call, path });
}

function within({ call, path }: ArgumentPlace, step: string): ArgumentPlace {
  return { call, path: path + step };
}

function refuse({ call, path }: ArgumentPlace, sentence: string): never {
  throw new TypeError(`${call}: ${path} ${sentence}`);
}

/** No promise, list, map or date: those have members of their own, and none that were meant. */
function plainObject(value: unknown, place: ArgumentPlace): object {
  if (!isObject(value) || Array.isArray(value) || Object.prototype.toString.call(value) !== '[object Object]')
    return refuse(place, 'is an object');
  if (typeof Reflect.get(value, 'then') === 'function') return refuse(place, 'is an object, and no promise of one');
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function shortened(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}…`;
}
