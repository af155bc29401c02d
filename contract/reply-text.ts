/** Units of a value from which on it follows the JSON of its reply. */
export const LONG_VALUE_UNITS = 65_536;

const LONG_FORM = /^([1-9]\d{0,8}) /;
/** Of what `LONG_FORM` matches. */
const LONGEST_START = 10;

/**
 * A reply of the guest as text: JSON, or with a long text as its `value` `<units of the JSON> <JSON><value>`, where the
 * JSON has `""` in its place. So a value that is megabytes long is neither escaped nor parsed on its way.
 */
export function writeReplyText(reply: object): string {
  if (!('value' in reply) || typeof reply.value !== 'string') return JSON.stringify(reply);
  const { value } = reply;
  // JSON escapes a half of a pair; text on a pipe loses it.
  if (value.length < LONG_VALUE_UNITS || !value.isWellFormed()) return JSON.stringify(reply);
  const rest = JSON.stringify({ ...reply, value: '' });
  return `${rest.length} ${rest}${value}`;
}

/** What a text holds that should be a reply's, unchecked; undefined for one that no guest of ours writes. */
export function readReplyText(text: string): unknown {
  const start = LONG_FORM.exec(text.slice(0, LONGEST_START));
  if (start === null) return parse(text);
  const [{ length }, units] = start;
  const end = length + Number(units);
  const rest = parse(text.slice(length, end));
  if (typeof rest !== 'object' || rest === null || !('value' in rest) || rest.value !== '') return undefined;
  return text.length - end < LONG_VALUE_UNITS ? undefined : { ...rest, value: text.slice(end) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
