/** Pieces of canonical JSON text: strings with minimal escapes, keys in order of their UTF-8 bytes. */

/** A JSON string with minimal escapes; the text must be well formed. */
export function jsonString(text: string): string {
  return JSON.stringify(text);
}

/** Compares two texts by their UTF-8 bytes: UTF-16 order, except that surrogates come after all other units. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
