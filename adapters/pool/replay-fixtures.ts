/**
 * What the supervisor may ask of the replay adapter before any provider exists: to read a fixture file whose bytes it
 * has read safely itself. Inert, so it needs no worker (providers.md §1, "audited").
 */
export { loadFixtures, MAX_FIXTURE_BYTES } from '../replay/load.ts';
export type { FixtureLoad } from '../replay/load.ts';
export type { FixtureFault } from '../replay/fixture.ts';
