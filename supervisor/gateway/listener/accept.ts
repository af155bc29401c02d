const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = `[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*"))?`;
const RANGE = new RegExp(`^[ \\t]*(${TOKEN})/(${TOKEN})((?:${PARAMETER})*)[ \\t]*$`);
const EACH_PARAMETER = new RegExp(PARAMETER, 'g');
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
}

/**
 * Whether the value of an Accept field admits a type at a weight above 0: the most specific range decides; false for
 * one that is malformed.
 */
export function accepts(value: string, type: string, subtype: string): boolean {
  const ranges = mediaRanges(value);
  if (ranges === null) return false;
  const weights = [
    [type, subtype],
    [type, '*'],
    ['*', '*'],
  ].map(([wantedType, wantedSubtype]) =>
    ranges.filter((range) => range.type === wantedType && range.subtype === wantedSubtype),
  );
  const deciding = weights.find((found) => found.length > 0) ?? [];
  return deciding.some(({ weight }) => weight > 0);
}

function mediaRanges(value: string): readonly MediaRange[] | null {
  const ranges = value
    .split(COMMA)
    .filter((part) => part.trim() !== '')
    .map(mediaRange);
  const known = ranges.filter((range) => range !== null);
  return known.length === ranges.length ? known : null;
}

function mediaRange(text: string): MediaRange | null {
  const [, type, subtype, parameters = ''] = RANGE.exec(text) ?? [];
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return null;
  const weights = [...parameters.matchAll(EACH_PARAMETER)].flatMap(([, name, weight]) =>
    name?.toLowerCase() === 'q' ? [weight ?? ''] : [],
  );
  const [weight = '1', ...more] = weights;
  if (more.length > 0 || !WEIGHT.test(weight)) return null;
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), weight: Number(weight) };
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** Whether a Content-Type says JSON in UTF-8. */
export function isJsonType(value: string): boolean {
  return JSON_TYPE.test(value.trim());
}
