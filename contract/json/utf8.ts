/** Orders texts by their UTF-8 bytes: the order of code points, which UTF-16 keeps but for surrogates. */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      return codePointRank(a) - codePointRank(b);
    }
  }
  return left.length - right.length;
}

/** Bytes of a text in UTF-8; a lone surrogate counts three, as the replacement character would. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) {
      bytes += unit > 0x7ff ? 2 : 1;
      if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
        // A pair is four bytes: two units and the two just added.
        index += 1;
      }
    }
  }
  return bytes;
}

/**
 * Offset of the first byte that starts no well-formed UTF-8 sequence (Unicode, table 3-7), or the length of the
 * bytes when all are well-formed.
 */
export function wellFormedLength(bytes: Uint8Array): number {
  let offset = 0;
  while (offset < bytes.length) {
    const length = sequenceLength(bytes, offset);
    if (length === 0) {
      return offset;
    }
    offset += length;
  }
  return offset;
}

/** Surrogates (D800..DFFF) represent code points above FFFF, hence after E000..FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) {
    return unit;
  }
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function sequenceLength(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0;
  if (lead < 0x80) {
    return 1;
  }
  const second = bytes[offset + 1] ?? 0;
  const tail = (at: number): boolean => ((bytes[offset + at] ?? 0) & 0xc0) === 0x80;
  if (lead >= 0xc2 && lead <= 0xdf) {
    return tail(1) ? 2 : 0;
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    const overlong = lead === 0xe0 && second < 0xa0;
    const surrogate = lead === 0xed && second > 0x9f;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const overlong = lead === 0xf0 && second < 0x90;
    const beyond = lead === 0xf4 && second > 0x8f;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}
