import type { JsonObject } from '../../../contract/json/value.ts';
import { describeProfile, profileNamed } from './contract.ts';

/** The static contract of an analysis profile (cli.md §11, `--describe-profile`); throws for an id that is none. */
export function profileDescription(id: string): JsonObject {
  return describeProfile(profileNamed(id));
}
