/** SHA-256 (FIPS 180-4) in plain JavaScript: an isolate has no crypto module. */

/** The first bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));
/** The same of the square roots of the first eight. */
const INITIAL = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function fractionBits(root: number): number {
  return ((root - Math.floor(root)) * 0x100000000) | 0;
}

/** Digest of a text's UTF-8 bytes, and their number. */
export function sha256Hex(text: string): { readonly hex: string; readonly length: number } {
  const bytes = utf8(text);
  const { length } = bytes;
  const padded = new Uint8Array(((length + 8) >>> 6) * 64 + 64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = Int32Array.from(INITIAL);
  const schedule = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) compress(state, schedule, view, block);
  const hex = [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return { hex, length };
}

function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return Uint8Array.from(bytes);
}

/** Rotations are written in place: most isolates take one digest, uncompiled, and half of that would be calls. */
function compress(state: Int32Array, schedule: Int32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const early = schedule[i - 15] ?? 0;
    const late = schedule[i - 2] ?? 0;
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[i] = ((schedule[i - 16] ?? 0) + s0 + (schedule[i - 7] ?? 0) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (ROUND[i] ?? 0) + (schedule[i] ?? 0)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = (s0 + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = ((state[index] ?? 0) + word) | 0;
  });
}
