/** The package's face for programs: `import { createSupervisor } from 'svc/supervisor'` (gateway.md §16, docs/supervisor.md). */
import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../contract/run-reference.ts';

export { defineCustomInstallation } from '../custom/define.ts';
export type { CustomCapabilitySpec, CustomInstallationSpec } from '../custom/define.ts';
export type { CustomFunction, CustomInstallation, CustomOpen } from '../custom/installation.ts';
export { acquisitionFailure, notDispatched, providerError } from '../custom/outcome.ts';
export type { GrantKey, GrantStore, StoredGrant } from '../../contract/provider-protocol/grant-store.ts';
export type { HostEnding, KillReason, PoolEvent } from '../../sandbox/pool/pool-event.ts';
export type { ProviderAdmissionCounts } from '../provider-admission/provider-admission.ts';
export type { RunEvent, RunEventListener, RunEventName } from '../run-events/run-events.ts';
export { objectArtifacts } from '../stores/object-artifacts.ts';
export type { ObjectStoreOptions } from '../stores/object-artifacts.ts';
export { readKeptEnvelope } from '../stores/kept-envelope.ts';
export { memoryJournal } from '../stores/memory-journal.ts';
export { settleInterrupted } from '../stores/settle-interrupted.ts';
export { memoryArtifacts } from '../stores/memory-artifacts.ts';
export type { ArtifactKey, ArtifactMeta, ArtifactReservation, ArtifactStore, CommitOutcome, NewRun, RunChange, RunEffect, RunJournal, RunPosition, RunRecord, RunRowState, RunScan, Secret, SecretProvider, SecretQuery, StoreFault, StoredArtifact } from '../stores/interface.ts';
export { StoreError } from '../stores/interface.ts';
export { memorySecrets } from '../stores/secrets.ts';
export type { OwnMeter, OwnSpan, OwnTelemetry, OwnTracer } from '../telemetry/own-tracer.ts';
export type { Isolation, RunLimits, TenantPolicy } from '../tenancy/tenant.ts';
export { directoryArtifacts, directoryGrants, directoryJournal, directorySecrets } from './stores.ts';
export { createSupervisor } from './supervisor/create.ts';
export { PreparationRefused, SupervisorNotStarted } from './supervisor/refusals.ts';
export type * from '../embedding/types.ts';

/** A name for a run that is still to be asked for. */
export function newRunRef(): string {
  return newRunReference(randomFillSync);
}
