/**
 * The package's face for programs: `import { createSupervisor } from '@svc-lisp/svc/supervisor'` (gateway.md §16,
 * docs/guides/embedding.md).
 */
import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../contract/run-reference.ts';

export { defineCustomInstallation } from '../providers/custom/define.ts';
export type { CustomCapabilitySpec, CustomInstallationSpec } from '../providers/custom/define.ts';
export type { CustomFunction, CustomInstallation, CustomOpen } from '../providers/custom/installation.ts';
export { acquisitionFailure, notDispatched, providerError } from '../providers/custom/outcome.ts';
export type { GrantKey, GrantStore, StoredGrant } from '../../contract/provider-protocol/grant-store.ts';
export type { ApprovalAnswer, ApprovalCallback, ApprovalRequest, ApprovalScope } from '../../contract/approval.ts';
export type { HostEnding, KillReason, PoolEvent } from '../../sandbox/pool/pool-event.ts';
export type { ProviderAdmissionCounts } from '../providers/admission/provider-admission.ts';
export type { RunEvent, RunEventListener, RunEventName } from '../evidence/run-events/run-events.ts';
export { openObjectArtifacts } from '../service/stores/object-artifacts.ts';
export type { ObjectStoreOptions } from '../service/stores/object-artifacts.ts';
export { readStoredEnvelope } from '../service/stores/stored-envelope.ts';
export { createMemoryApprovals } from '../service/stores/memory-approvals.ts';
export type { ApprovalStore, DecisionOutcome, StoredApproval } from '../service/stores/approval-store.ts';
export { createMemoryJournal } from '../service/stores/memory-journal.ts';
export { settleInterrupted } from '../service/stores/settle-interrupted.ts';
export { createMemoryArtifacts } from '../service/stores/memory-artifacts.ts';
export type {
  ArtifactKey,
  ArtifactMeta,
  ArtifactReservation,
  ArtifactStore,
  CommitOutcome,
  NewRun,
  RunChange,
  RunEffect,
  RunJournal,
  RunPosition,
  RunRecord,
  RunRowState,
  RunScan,
  Secret,
  SecretProvider,
  SecretQuery,
  StoreFault,
  StoredArtifact,
} from '../service/stores/interface.ts';
export { StoreError } from '../service/stores/interface.ts';
export { createMemorySecrets } from '../service/stores/secrets.ts';
export type { CustomMeter, CustomSpan, CustomTelemetry, CustomTracer } from '../evidence/telemetry/own-tracer.ts';
export type { Isolation, RunLimits, TenantPolicy } from '../platform/tenant.ts';
export {
  openDirectoryApprovals,
  openDirectoryArtifacts,
  openDirectoryGrants,
  openDirectoryJournal,
  openDirectoryKeys,
  openDirectorySecrets,
} from '../service/stores/directory-stores.ts';
export { createSupervisor } from '../service/runs/create.ts';
export { PreparationError, SupervisorStartError } from '../service/runs/refusals.ts';
export { SessionNotOpened, SessionNotRestored, SessionNotSaved } from '../code/embedded/session-errors.ts';
export type * from '../code/embedded/types.ts';
export type * from '../service/embedding/types.ts';

/** A name for a run that is still to be asked for. */
export function createRunRef(): string {
  return newRunReference(randomFillSync);
}
