declare const brand: unique symbol;

/** Name of one invocation; also run id, trace id and file stem where one is needed (runtime.md §2). */
export type RunReference = string & { readonly [brand]: true };

/** Fills the bytes at random; throws when the machine has no entropy. */
export type EntropySource = (bytes: Uint8Array) => void;

/** The 32 symbols, without i, l, o and u (interface.md §1.2.1). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PATTERN = /^cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/**
 * A new reference: 16 random bytes as one big-endian number, in 26 groups of five bits from the most significant (which
 * holds three) down. All zeros when there is no entropy: a command must be able to report even then how it ended.
 */
export function newRunReference(fill: EntropySource): RunReference {
  return runReferenceOf(randomNumber(fill));
}

/** Whether a text is a run reference. `$` cannot match before a line feed: the pattern has no `m` flag. */
export function isRunReference(value: unknown): value is RunReference {
  return typeof value === 'string' && PATTERN.test(value);
}

function randomNumber(fill: EntropySource): bigint {
  const bytes = new Uint8Array(16);
  try {
    fill(bytes);
  } catch {
    return 0n;
  }
  const view = new DataView(bytes.buffer);
  return (view.getBigUint64(0) << 64n) | view.getBigUint64(8);
}

/** The first 16 bytes as 26 symbols, as a run reference writes them. */
export function symbolsOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return symbolsOfNumber((view.getBigUint64(0) << 64n) | view.getBigUint64(8));
}

function symbolsOfNumber(number: bigint): string {
  let symbols = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) {
    symbols += ALPHABET[Number((number >> shift) & 31n)] ?? '';
  }
  return symbols;
}

function runReferenceOf(number: bigint): RunReference {
  const reference = `cmd-${symbolsOfNumber(number)}`;
  if (!isRunReference(reference)) {
    throw new Error('a run reference is written by its own pattern');
  }
  return reference;
}
