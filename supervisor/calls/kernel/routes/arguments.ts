import { integerOf, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';

/** Says whether a member is what its route takes. */
export type MemberCheck = (value: JsonValue) => boolean;

/** The members of one form of a request: all of `required`, any of `optional`, and no others (runtime.md §6). */
export interface ArgumentForm {
  readonly required: Readonly<Record<string, MemberCheck>>;
  readonly optional?: Readonly<Record<string, MemberCheck>>;
}

export function hasForm(input: JsonObject, { required, optional = {} }: ArgumentForm): boolean {
  const isWhole = Object.keys(required).every((name) => input.has(name));
  return (
    isWhole &&
    [...input].every(
      ([name, value]) => checkNamed(required, name)?.(value) === true || checkNamed(optional, name)?.(value) === true,
    )
  );
}

/** The name comes from a program: members of a prototype are none. */
function checkNamed(checks: Readonly<Record<string, MemberCheck>>, name: string): MemberCheck | undefined {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

export const anyValue: MemberCheck = () => true;

export function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

export function isFilledText(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '';
}

export function exactly(word: JsonValue): MemberCheck {
  return (value) => value === word;
}

export function oneOf(words: readonly string[]): MemberCheck {
  return (value) => typeof value === 'string' && words.includes(value);
}

/** An integer from `least` to `most`; a float is none, integral or not. */
export function integerWithin(least: number, most: number): MemberCheck {
  return (value) => typeof value === 'number' && value >= least && value <= most;
}

export function isFlag(value: JsonValue): value is boolean {
  return typeof value === 'boolean';
}

/** A text member that was checked. */
export function getText(input: JsonObject, name: string): string {
  const value = input.get(name);
  if (typeof value !== 'string') throw new TypeError(`${name} was checked to be a text`);
  return value;
}

/** A text member that was checked; null where there is none. */
export function textMember(input: JsonObject, name: string): string | null {
  return input.has(name) ? getText(input, name) : null;
}

/** An integer member, as far as it fits; null where there is none. */
export function integerMember(input: JsonObject, name: string): number | null {
  const value = integerOf(input.get(name));
  return typeof value === 'number' ? value : null;
}
