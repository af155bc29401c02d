/**
 * Ways in which a JSON value departs from an expectation. Objects need the members listed and may have others;
 * arrays and scalars must be equal. Wildcards: `"$any"`, `"$integer"` (>= 0), `"$digest"`, `"$hex"`, `"$run_ref"`
 * (the one of this invocation), and `{"$matches": "pattern"}` for a whole string.
 */
export function mismatches(expected: unknown, actual: unknown, runRef: string, at = ''): readonly string[] {
  if (typeof expected === 'string' && expected.startsWith('$')) {
    return isWildcardMatch(expected, actual, runRef) ? [] : [`${at}: ${JSON.stringify(actual)} is not ${expected}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return [`${at}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`];
    return expected.flatMap((item, index) => mismatches(item, actual[index], runRef, `${at}/${index}`));
  }
  if (isObject(expected)) {
    if ('$matches' in expected) {
      const isMatch =
        typeof actual === 'string' && new RegExp(`^(?:${String(expected['$matches'])})$`, 'u').test(actual);
      return isMatch ? [] : [`${at}: ${JSON.stringify(actual)} does not match ${String(expected['$matches'])}`];
    }
    if (!isObject(actual)) return [`${at}: ${JSON.stringify(actual)} is no object`];
    return Object.entries(expected).flatMap(([key, item]) => mismatches(item, actual[key], runRef, `${at}/${key}`));
  }
  return Object.is(expected, actual) ? [] : [`${at}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`];
}

function isWildcardMatch(wildcard: string, actual: unknown, runRef: string): boolean {
  switch (wildcard) {
    case '$any':
      return actual !== undefined;
    case '$integer':
      return typeof actual === 'number' && Number.isSafeInteger(actual) && actual >= 0;
    case '$digest':
      return typeof actual === 'string' && /^sha256:[0-9a-f]{64}$/.test(actual);
    case '$hex':
      return typeof actual === 'string' && /^[0-9a-f]{64}$/.test(actual);
    case '$run_ref':
      return actual === runRef;
    default:
      throw new Error(`unknown wildcard ${wildcard}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
