/** The package's face for programs: `import { createSupervisor } from 'svc/supervisor'` (gateway.md §16, docs/supervisor.md). */
import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../contract/run-reference.ts';

export { defineCustomInstallation } from '../custom/define.ts';
export type { CustomCapabilitySpec, CustomInstallationSpec } from '../custom/define.ts';
export type { CustomFunction, CustomInstallation, CustomOpen } from '../custom/installation.ts';
export { acquisitionFailure, notDispatched, providerError } from '../custom/outcome.ts';
export type { HostEnding, KillReason, PoolEvent } from '../../sandbox/pool/pool-event.ts';
export type { ProviderAdmissionCounts } from '../provider-admission/provider-admission.ts';
export type { RunEvent, RunEventListener, RunEventName } from '../run-events/run-events.ts';
export type { Secret, SecretProvider, SecretQuery } from '../stores/interface.ts';
export { memorySecrets } from '../stores/secrets.ts';
export type { Isolation, RunLimits, TenantPolicy } from '../tenancy/tenant.ts';
export { createSupervisor } from './supervisor/create.ts';
export { PreparationRefused, SupervisorNotStarted } from './supervisor/refusals.ts';
export type * from '../embedding/types.ts';

/** A name for a run that is still to be asked for. */
export function newRunRef(): string {
  return newRunReference(randomFillSync);
}
