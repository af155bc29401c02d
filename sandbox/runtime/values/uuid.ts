import { foldInt64 } from './hashing.ts';
import { Temporal } from './temporal.ts';

/** A java.util.UUID. */
export class Uuid extends Temporal {
  /** 36 characters, lower case. */
  declare readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  get javaName(): string {
    return 'java.util.UUID';
  }

  equals(other: unknown): boolean {
    return other instanceof Uuid && other.text === this.text;
  }

  /** The two halves as signed 64-bit integers. */
  get halves(): readonly [bigint, bigint] {
    const digits = this.text.replaceAll('-', '');
    return [BigInt.asIntN(64, BigInt(`0x${digits.slice(0, 16)}`)), BigInt.asIntN(64, BigInt(`0x${digits.slice(16)}`))];
  }

  hash(): number {
    const [high, low] = this.halves;
    return foldInt64(high ^ low);
  }

  compare(other: unknown): number | null {
    if (!(other instanceof Uuid)) return null;
    const [high, low] = this.halves;
    const [otherHigh, otherLow] = other.halves;
    if (high !== otherHigh) return high < otherHigh ? -1 : 1;
    return low === otherLow ? 0 : low < otherLow ? -1 : 1;
  }

  display(): string {
    return this.text;
  }

  print(): string {
    return `#uuid "${this.text}"`;
  }

  json(): string {
    return this.text;
  }
}

const GROUP_SIZES = [8, 4, 4, 4, 12];

/** Five groups of hex digits, short ones filled with zeros, over-long ones cut on the left; null when it is none. */
export function parseUuid(text: string): Uuid | null {
  if (text.length > 36) return null;
  const groups = text.split('-');
  if (groups.length !== 5 || !groups.every((group) => /^[0-9a-fA-F]+$/.test(group))) return null;
  const sized = groups.map((group, i) => {
    const size = GROUP_SIZES[i] ?? 0;
    return group.slice(-size).padStart(size, '0').toLowerCase();
  });
  return new Uuid(sized.join('-'));
}
