import { LIMITS } from '../../../contract/limits/catalogue.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import { anything, fits, flag, maybe, objectWith, recordOf, textOfLength, type Check } from './checks.ts';

/** What a run is asked for with, whether of a supervisor or of its runners. */

const PRINCIPAL_MAX = 256;

/** Milliseconds in 30 days: no run waits or lasts longer. */
export const LONGEST_DEADLINE_MS = 2_592_000_000;

export const principalName = textOfLength(1, PRINCIPAL_MAX);
export const anyText = fits('a text', (value) => typeof value === 'string');
export const limitOverrides = writtenLimits();
export const wantedArtifacts = objectWith<{
  readonly trace: boolean;
  readonly inspection: boolean;
  readonly result: boolean;
}>({ trace: maybe(flag), inspection: maybe(flag), result: maybe(flag) });
export const runInput = fits(
  'an object of plain JSON data, or bytes (Uint8Array)',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof Reflect.get(value, 'then') !== 'function',
);

/** By the names of the table of limits; how low they have to be, the application says. */
function writtenLimits(): Check {
  const values = recordOf(fits('a number', (value) => value === undefined || typeof value === 'number'));
  const names = objectWith<WrittenLimits>(
    Object.assign(Object.create(null), Object.fromEntries(LIMITS.map(({ name }) => [name, anything]))),
  );
  return (value, place) => {
    names(value, place);
    values(value, place);
  };
}
