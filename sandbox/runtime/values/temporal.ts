/** Dates, times and UUIDs (functions.md §19): immutable, equal by value within one class. */
export abstract class Temporal {
  abstract get javaName(): string;
  abstract equals(other: unknown): boolean;
  abstract hash(): number;
  /** -1, 0, 1 or a difference, as `compare` gives it; null when the other is of another class. */
  abstract compare(other: unknown): number | null;
  /** The text `str` gives. */
  abstract display(): string;
  /** The text `pr-str` gives. */
  abstract print(): string;
  /** The canonical text at JSON boundaries. */
  abstract json(): string;
}
