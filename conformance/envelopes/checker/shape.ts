/**
 * Tools of a checker that reads the published interface alone: it shares no table and no type with the program, so
 * that one mistake cannot hide in both. Violations are sentences, each with the place it was found at.
 */

export type Report = string[];
export type Check = (value: unknown, at: string, report: Report) => void;
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with exactly the required members, and perhaps optional ones. */
export function closed(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return (value, at, report) => {
    if (!isFields(value)) {
      report.push(`${at}: not an object`);
      return;
    }
    for (const key of Object.keys(required)) if (!Object.hasOwn(value, key)) report.push(`${at}: ${key} is missing`);
    for (const [key, acquired] of Object.entries(value)) {
      const check = own(required, key) ?? own(optional, key);
      if (check === undefined) report.push(`${at}: an extra member`);
      else check(acquired, `${at}/${key}`, report);
    }
  };
}

function own(checks: Readonly<Record<string, Check>>, name: string): Check | undefined {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

export function is(...allowed: readonly (string | number | boolean | null)[]): Check {
  return (value, at, report) => {
    if (!allowed.some((one) => one === value)) report.push(`${at}: none of the allowed values`);
  };
}

export function whole(least: number, most = Infinity): Check {
  return (value, at, report) => {
    const isWhole = typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint';
    if (!isWhole || Number(value) < least || Number(value) > most) report.push(`${at}: not a whole number in range`);
  };
}

/** Lengths are counted in Unicode code points, as JSON Schema does. */
function characters(input: string): number {
  return Array.from(input).length;
}

export function text(least: number, most = Infinity): Check {
  return (value, at, report) => {
    const length = typeof value === 'string' ? characters(value) : -1;
    if (length < least || length > most) report.push(`${at}: not a string of allowed length`);
  };
}

export function like(expression: RegExp, most = Infinity): Check {
  return (value, at, report) => {
    if (typeof value !== 'string' || !expression.test(value) || characters(value) > most)
      report.push(`${at}: wrong form`);
  };
}

export function list(item: Check, most: number, least = 0): Check {
  return (value, at, report) => {
    if (!Array.isArray(value)) {
      report.push(`${at}: not an array`);
      return;
    }
    if (value.length < least || value.length > most) report.push(`${at}: wrong number of items`);
    value.forEach((acquired: unknown, index) => item(acquired, `${at}/${String(index)}`, report));
  };
}

/** A map with keys of one form and at most so many entries. */
export function entries(key: RegExp, value: Check, most: number): Check {
  return (map, at, report) => {
    if (!isFields(map)) {
      report.push(`${at}: not an object`);
      return;
    }
    const pairs = Object.entries(map);
    if (pairs.length > most) report.push(`${at}: too many entries`);
    for (const [input, acquired] of pairs) {
      if (!key.test(input)) report.push(`${at}: a key of wrong form`);
      value(acquired, `${at}/*`, report);
    }
  };
}

/** Holds if one alternative does; else the violations of the one with the fewest are told. */
export function either(...alternatives: readonly Check[]): Check {
  return (value, at, report) => {
    let best: Report | undefined;
    for (const alternative of alternatives) {
      const found: Report = [];
      alternative(value, at, found);
      if (found.length === 0) return;
      if (best === undefined || found.length < best.length) best = found;
    }
    report.push(...(best ?? [`${at}: no alternative`]));
  };
}

export function both(...checks: readonly Check[]): Check {
  return (value, at, report) => {
    for (const check of checks) check(value, at, report);
  };
}

export const anything: Check = () => undefined;
export const yesOrNo = is(true, false);
export const nothing = is(null);
export const emptyList = list(anything, 0);
export const count = whole(0);
export const MOST = 9_007_199_254_740_991;
export const amount = whole(0, MOST);
export const NAME = /^[a-z][a-z0-9._-]{0,127}$/;
export const name = like(NAME);

/** The member of a value that may be anything. */
export function member(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
