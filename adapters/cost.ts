import { jsonInteger, type JsonInteger } from '../contract/json/value.ts';
import { scaledDecimal } from './decimal.ts';

/** Largest integer of any usage record (interface.md). */
const MAX_MICROUNITS = BigInt(Number.MAX_SAFE_INTEGER);
const MICROUNIT_DIGITS = 6;
/** A longer text is no price. */
const MAX_DIGITS = 64;

/**
 * The microunits of a price in whole units, from its exact decimal text, rounded up (runtime.md §11, providers.md
 * §5.5). Null for a text that is no price: negative, longer than 64 characters, or more than any usage record holds.
 */
export function microunitsOf(decimal: string): JsonInteger | null {
  const microunits = decimal.length > MAX_DIGITS ? null : scaledDecimal(decimal, MICROUNIT_DIGITS);
  return microunits === null || microunits > MAX_MICROUNITS ? null : jsonInteger(microunits);
}
