import { foldInt64 } from './hashing.ts';
import { pad } from './calendar.ts';
import { Temporal } from './temporal.ts';

/** A java.time.Duration: whole seconds (any sign) and nanoseconds 0..999,999,999 on top. */
export class Duration extends Temporal {
  declare readonly seconds: bigint;
  declare readonly nanos: number;

  constructor(seconds: bigint, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }

  get javaName(): string {
    return 'java.time.Duration';
  }

  equals(other: unknown): boolean {
    return other instanceof Duration && other.seconds === this.seconds && other.nanos === this.nanos;
  }

  hash(): number {
    return (foldInt64(this.seconds) + Math.imul(51, this.nanos)) | 0;
  }

  compare(other: unknown): number | null {
    if (!(other instanceof Duration)) return null;
    if (this.seconds !== other.seconds) return this.seconds < other.seconds ? -1 : 1;
    return this.nanos - other.nanos;
  }

  /** `PT24H0.5S`: hours, minutes and seconds, each negative part signed. */
  display(): string {
    // Java counts the parts toward zero: a negative duration with a fraction has one second more.
    const effective = this.seconds < 0n && this.nanos > 0 ? this.seconds + 1n : this.seconds;
    const hours = effective / 3600n;
    const minutes = (effective % 3600n) / 60n;
    const seconds = effective % 60n;
    let text = 'PT';
    if (hours !== 0n) text += `${hours}H`;
    if (minutes !== 0n) text += `${minutes}M`;
    if (seconds === 0n && this.nanos === 0 && text !== 'PT') return text;
    if (this.seconds < 0n && this.nanos > 0) {
      text += `${seconds === 0n ? '-0' : seconds}${fractionText(1_000_000_000 - this.nanos)}S`;
    } else text += `${seconds}${fractionText(this.nanos)}S`;
    return text;
  }

  print(): string {
    return `#object[java.time.Duration "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}

function fractionText(nanos: number): string {
  return nanos === 0 ? '' : `.${pad(nanos, 9).replace(/(?<!0)0+$/, '')}`;
}
