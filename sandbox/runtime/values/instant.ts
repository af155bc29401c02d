import { isoInstant } from './date.ts';
import { foldInt64 } from './hashing.ts';
import { Temporal } from './temporal.ts';

/** A java.time.Instant: seconds since 1970 and nanoseconds of the second. */
export class Instant extends Temporal {
  declare readonly seconds: number;
  /** 0..999,999,999. */
  declare readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }

  get javaName(): string {
    return 'java.time.Instant';
  }

  equals(other: unknown): boolean {
    return other instanceof Instant && other.seconds === this.seconds && other.nanos === this.nanos;
  }

  hash(): number {
    return (foldInt64(BigInt(this.seconds)) + Math.imul(51, this.nanos)) | 0;
  }

  compare(other: unknown): number | null {
    if (!(other instanceof Instant)) return null;
    const order = this.seconds - other.seconds || this.nanos - other.nanos;
    return order === 0 ? 0 : order < 0 ? -1 : 1;
  }

  display(): string {
    return isoInstant(this.seconds, this.nanos);
  }

  print(): string {
    return `#object[java.time.Instant "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}
