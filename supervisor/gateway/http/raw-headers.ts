/** Header fields as they came: names and values by turns. Node joins some that are repeated, and drops others. */
export type RawHeaders = readonly string[];

/** Every value of a field, in the order of the request; `name` in lower case. */
export function valuesOf(headers: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [field, value] = [headers[at], headers[at + 1]];
    // Most fields differ in length: a dozen looks through all of them are made for each request.
    if (field?.length === name.length && field.toLowerCase() === name && value !== undefined) values.push(value);
  }
  return values;
}

/** The value of a field that is there exactly once, else null. */
export function onlyValueOf(headers: RawHeaders, name: string): string | null {
  const [value, ...more] = valuesOf(headers, name);
  return value === undefined || more.length > 0 ? null : value;
}

/** Bounds of a request before anything of it is understood (gateway.md §2); bytes. */
export const TRANSPORT_LIMITS = { requestLine: 8192, fields: 64, fieldLine: 8192, namesAndValues: 32_768 } as const;

const SEPARATOR = ': '.length;

/** What a request breaks of them: 414 for its line, 431 for its fields; null: nothing. */
export function transportFault({
  method,
  target,
  rawHeaders,
}: {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: RawHeaders;
}): 414 | 431 | null {
  if (`${method} ${target} HTTP/1.1`.length > TRANSPORT_LIMITS.requestLine) return 414;
  if (rawHeaders.length > 2 * TRANSPORT_LIMITS.fields) return 431;
  let total = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const size = (rawHeaders[at]?.length ?? 0) + (rawHeaders[at + 1]?.length ?? 0);
    if (size + SEPARATOR > TRANSPORT_LIMITS.fieldLine) return 431;
    total += size;
  }
  return total > TRANSPORT_LIMITS.namesAndValues ? 431 : null;
}

/**
 * What was longer than the parser has room for, by what it looked at last: 414 where that is still a request line, seen
 * from its beginning; else 431. Of a line that comes in small pieces nobody knows what it was.
 */
export function overflowStatus(looked: Buffer | undefined): 414 | 431 {
  const line = looked?.subarray(looked.lastIndexOf('\n') + 1).toString('latin1') ?? '';
  return /^[A-Z]+ \S*$/.test(line) ? 414 : 431;
}
