/** UTF-8 of U+FEFF, which some editors put before a text. */
export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** A text as its author sees it: one mark at its start is no part of it (first-day.md §3). */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
