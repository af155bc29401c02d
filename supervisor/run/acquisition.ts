import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CapabilitySet } from '../broker/broker.ts';
import type { Capability } from '../broker/capability.ts';
import type { CustomInstallation } from '../custom/installation.ts';
import type { Application } from '../preflight/application.ts';
import type { Occurrence } from '../preflight/occurrence.ts';
import { releaseOnce } from './release.ts';
import type { Closer } from './release.ts';

/** Everything that the selected providers of a run supply. */
export interface Acquired {
  readonly workflow: CapabilitySet;
  readonly missions: ReadonlyMap<string, CapabilitySet>;
  readonly snapshots: readonly JsonObject[];
  /** Provider code has run. */
  readonly providerActivity: boolean;
  readonly release: () => Promise<Diagnostic | null>;
}

export type Acquisition =
  | { readonly ok: true; readonly value: Acquired }
  /** `later`: what went wrong while those that were opened were released again. */
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly later: readonly Diagnostic[] };

interface CustomOccurrence {
  readonly occurrence: Occurrence;
  readonly installation: CustomInstallation;
}

/** Opens every selected provider in declaration order; at the first refusal what was opened is released (providers.md §3). */
export async function acquireProviders(application: Application, signal: AbortSignal): Promise<Acquisition> {
  const { providers, limits } = application;
  const supported = supportedOccurrences([...providers.workflow, ...providers.mission]);
  if (!supported.ok) return { ...supported, later: [] };
  if (supported.value.length === 0) return { ok: true, value: granted(application, new Map(), [], []) };
  // Only such applications pay for reading it.
  const [{ acquireCustom }, { customSnapshot }, { sharedSchemaChecker }] = await Promise.all([
    import('../custom/acquire.ts'),
    import('../custom/snapshot.ts'),
    import('../custom/schema-checker.ts'),
  ]);
  const tools = {
    checker: sharedSchemaChecker(),
    argumentBytes: limits.values.capability_argument_bytes,
    resultBytes: limits.values.capability_result_bytes,
    signal,
  };
  const closers: Closer[] = [];
  const opened = new Map<Occurrence, readonly Capability[]>();
  const snapshots: JsonObject[] = [];
  for (const { occurrence, installation } of supported.value) {
    const acquired = await acquireCustom(occurrence, installation, tools);
    if (!acquired.ok) {
      const later = await releaseOnce(closers, limits.values.provider_cleanup_timeout_ms)();
      return { ok: false, diagnostic: acquired.diagnostic, later: later === null ? [] : [later] };
    }
    opened.set(occurrence, acquired.value.capabilities);
    if (acquired.value.close !== null) closers.push(acquired.value.close);
    const digest = providers.configDigests.get(occurrence.alias);
    if (digest === undefined) throw new Error('every selected alias has a digest');
    snapshots.push(customSnapshot(occurrence, installation, digest));
  }
  return { ok: true, value: granted(application, opened, snapshots, closers) };
}

/** Providers for which there is no adapter are refused before any other is reached. */
function supportedOccurrences(occurrences: readonly Occurrence[]): Outcome<readonly CustomOccurrence[]> {
  const supported: CustomOccurrence[] = [];
  for (const occurrence of occurrences) {
    const { installation, alias, destination, index } = occurrence;
    if (installation.source !== 'custom') return failure(diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', { destination, index }) }));
    supported.push({ occurrence, installation });
  }
  return success(supported);
}

function granted({ providers, manifest, limits }: Application, opened: ReadonlyMap<Occurrence, readonly Capability[]>, snapshots: readonly JsonObject[], closers: readonly Closer[]): Acquired {
  const setOf = (occurrences: readonly Occurrence[]): CapabilitySet =>
    new Map(occurrences.flatMap((occurrence) => (opened.get(occurrence) ?? []).map((capability) => [capability.name, capability])));
  const missions = [...manifest.missions].map(([name, mission]): [string, CapabilitySet] => [
    name,
    setOf(providers.mission.filter(({ alias }) => mission.providers.includes(alias))),
  ]);
  return {
    workflow: setOf(providers.workflow),
    missions: new Map(missions),
    snapshots,
    providerActivity: [...opened.keys()].some(({ installation }) => installation.source === 'custom' && installation.open !== null),
    release: releaseOnce(closers, limits.values.provider_cleanup_timeout_ms),
  };
}
