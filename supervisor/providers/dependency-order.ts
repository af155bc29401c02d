import type { Occurrence } from './source/installed-provider.ts';

/** What requires another comes behind all that require none; what is required requires nothing itself. */
export function inOrderOfDependency(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const [free, dependent] = [
    occurrences.filter(({ provider }) => provider.requires === null),
    occurrences.filter(({ provider }) => provider.requires !== null),
  ];
  return [...free, ...dependent];
}
