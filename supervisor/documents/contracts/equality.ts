import { isJsonArray, isJsonFloat, isJsonInteger, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Equality of `const` and `enum`: numbers by what they say, not by their class (documents.md §4). */
export function equalValues(left: JsonValue, right: JsonValue): boolean {
  const leftNumber = readNumber(left);
  const rightNumber = readNumber(right);
  if (leftNumber !== null || rightNumber !== null) {
    // Comparing a bigint with a double is exact in both directions; there is no NaN.
    return leftNumber !== null && rightNumber !== null && !(leftNumber < rightNumber) && !(leftNumber > rightNumber);
  }
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalValues(item, right[index] ?? null))
    );
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right) || left.size !== right.size) return false;
    return [...left].every(([key, member]) => {
      const other = right.get(key);
      return other !== undefined && equalValues(member, other);
    });
  }
  return left === right;
}

/** The number a value says, null for all other values. */
export function readNumber(value: JsonValue): number | bigint | null {
  if (isJsonFloat(value)) return value.value;
  return isJsonInteger(value) ? value : null;
}
