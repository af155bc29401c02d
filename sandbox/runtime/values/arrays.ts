/** A copy of an array with one more element: several times faster than spreading (measured on Node 24). */
export function appended(elements: readonly unknown[], value: unknown): unknown[] {
  const { length } = elements;
  const copy = new Array<unknown>(length + 1);
  for (let i = 0; i < length; i++) copy[i] = elements[i];
  copy[length] = value;
  return copy;
}

/** A copy of an array with two more elements before an index. */
export function insertedPair(elements: readonly unknown[], index: number, first: unknown, second: unknown): unknown[] {
  const { length } = elements;
  const copy = new Array<unknown>(length + 2);
  for (let i = 0; i < index; i++) copy[i] = elements[i];
  copy[index] = first;
  copy[index + 1] = second;
  for (let i = index; i < length; i++) copy[i + 2] = elements[i];
  return copy;
}

/** A copy of a flat key/value array; the lengths of most maps are literals, which the engine allocates in place. */
export function copied(flat: readonly unknown[]): unknown[] {
  const { length } = flat;
  if (length === 2) return [flat[0], flat[1]];
  if (length === 4) return [flat[0], flat[1], flat[2], flat[3]];
  if (length === 6) return [flat[0], flat[1], flat[2], flat[3], flat[4], flat[5]];
  const copy = new Array<unknown>(length);
  for (let i = 0; i < length; i++) copy[i] = flat[i];
  return copy;
}
