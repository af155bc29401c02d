import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { jsonDigest, type Digest } from '../../documents/digest.ts';

/** Ids of the analysis profiles, which are closed (cli.md §11). */
export type ProfileId =
  | 'run-analysis-v1'
  | 'private-run-analysis-v1'
  | 'private-run-analysis-v2'
  | 'private-run-catalog-v1';

/** A directory that a profile reads. */
export interface ProfileResource {
  readonly name: 'traces' | 'inspection';
  /** What of it is opened. */
  readonly accepts: 'normal' | 'normal_and_private' | 'inspection';
}

export type ProfileQuery = 'runs' | 'open' | 'read' | 'counters' | 'catalog';

/** What is fixed of a profile, whatever it is opened over (evidence.md §8). */
export interface Profile {
  readonly id: ProfileId;
  readonly isPrivate: boolean;
  readonly resources: readonly ProfileResource[];
  /** Libraries of its mission, each after what it needs. */
  readonly components: readonly string[];
  /** Names that a program finds in front of a slash. */
  readonly namespaces: readonly string[];
  readonly queries: readonly ProfileQuery[];
  /** Runs that `--run` may name; null: whole directories alone. */
  readonly mostRuns: number | null;
}

/** Limits of every analysis session (cli.md §11): fixed, no document changes them. */
export const PROFILE_LIMITS = {
  run_duration_ms: 1_800_000,
  evaluation_timeout_ms: 10_000,
  subordinate_evaluations: 64,
  subordinate_source_checks: 64,
  mission_capability_calls: 512,
  mission_capability_calls_per_name: 256,
  subordinate_source_bytes: 65_536,
  protocol_errors: 32,
  normal_event_count: 1408,
} as const;

const PUBLIC_TRACES: ProfileResource = { name: 'traces', accepts: 'normal' };
const ALL_TRACES: ProfileResource = { name: 'traces', accepts: 'normal_and_private' };
const INSPECTION: ProfileResource = { name: 'inspection', accepts: 'inspection' };

export const PROFILES: readonly Profile[] = [
  {
    id: 'run-analysis-v1',
    isPrivate: false,
    resources: [PUBLIC_TRACES],
    components: ['cap', 'analysis'],
    namespaces: ['analysis', 'cap'],
    queries: ['runs', 'open', 'read', 'counters'],
    mostRuns: null,
  },
  {
    id: 'private-run-analysis-v1',
    isPrivate: true,
    resources: [ALL_TRACES, INSPECTION],
    components: ['cap', 'analysis'],
    namespaces: ['analysis', 'cap'],
    queries: ['runs', 'open', 'read'],
    mostRuns: 16,
  },
  {
    id: 'private-run-analysis-v2',
    isPrivate: true,
    resources: [ALL_TRACES, INSPECTION],
    components: ['cap', 'analysis', 'prompt.audit'],
    namespaces: ['analysis', 'cap', 'prompt.audit'],
    queries: ['runs', 'open', 'read', 'counters'],
    mostRuns: 16,
  },
  {
    id: 'private-run-catalog-v1',
    isPrivate: true,
    resources: [ALL_TRACES, INSPECTION],
    components: ['cap', 'analysis.catalog'],
    namespaces: ['analysis', 'cap'],
    queries: ['catalog'],
    mostRuns: null,
  },
];

/** Throws for an id that is none: arguments were checked before. */
export function profileNamed(id: string): Profile {
  const profile = PROFILES.find((row) => row.id === id);
  if (profile === undefined) throw new Error('the id of a profile is checked before it is used');
  return profile;
}

/** Label of the traces of its sessions (evidence.md §8). */
export function sessionLabel({ isPrivate }: Profile): string {
  return isPrivate ? 'svc.private-run-analysis.repl' : 'svc.run-analysis.repl';
}

/** The static contract of a profile, as `--describe-profile` shows it: no paths, nothing of any capture. */
export function describeProfile(profile: Profile): JsonObject {
  return new Map([...contractOf(profile), ['profile_digest', profileDigest(profile)]]);
}

/** Digest of the static contract. */
export function profileDigest(profile: Profile): Digest {
  return jsonDigest(contractOf(profile));
}

function contractOf(profile: Profile): JsonObject {
  const { id, isPrivate, resources, components, namespaces, queries, mostRuns } = profile;
  const contract = jsonFromPlain({
    schema_version: 1,
    profile_id: id,
    visibility: isPrivate ? 'private' : 'public',
    resources: resources.map(({ name, accepts }) => ({ name, accepts })),
    components,
    namespaces,
    capabilities: queries.map((query) => `analysis-${query}`),
    result_policy: isPrivate ? 'private-terminal-v1' : 'bounded-json-v1',
    ...(isPrivate ? { data_class: 'private_inspection', capture: 'private-authorized-canonical-v1' } : {}),
    run_selection: mostRuns === null ? null : { minimum: 1, maximum: mostRuns },
    gates: isPrivate ? ['private_terminal', 'private_unattended'] : [],
    limits: PROFILE_LIMITS,
    session_trace: { persistence: 'canonical-trace-on-close', label: sessionLabel(profile), tags: { mode: 'repl' } },
  });
  if (!isJsonObject(contract)) throw new TypeError('a contract is an object');
  return contract;
}
