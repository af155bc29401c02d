/**
 * What the supervisor asks of the replay adapter: to read a fixture file whose bytes it has read safely itself, and to
 * answer from it. Inert, so it needs no worker (providers.md §1, "audited").
 */
export { REPLAY } from '../replay/adapter.ts';
export type { ReplayedDecision } from '../replay/adapter.ts';
export { loadFixtures, MAX_FIXTURE_BYTES } from '../replay/load.ts';
export { nearestTo } from '../replay/nearest.ts';
export { MAX_REQUESTS_BYTES, readRequests, requestLine, requestsPath } from '../replay/requests.ts';
export type { FixtureFault, ReplayFixtures } from '../replay/fixture.ts';
