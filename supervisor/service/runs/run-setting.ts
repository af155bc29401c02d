import type { GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { RunObserver } from '../../evidence/live/observer.ts';
import type { RunReport } from '../../run/perform-run.ts';
import type { CallAdmission } from '../../providers/source/call-admission.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import type { ArtifactStore, SecretProvider, SecretQuery } from '../stores/interface.ts';
import { resolveSecret } from '../stores/secrets.ts';
import type { ApprovalOptions } from '../embedding/types.ts';
import type { SecretOwners } from '../tenants/secret-owners.ts';
import type { Machine } from '../../application/machine.ts';
import type { OpeningOptions } from '../../run/named-run.ts';
import type { RunTelemetry } from './run-telemetry.ts';

/** What every run of a supervisor is performed with. */
export interface RunSetting {
  readonly machine: Machine;
  readonly publication: ReservationTools;
  readonly calls: CallAdmission;
  /** Directory of the artifacts of a tenant, absolute; null without one. */
  readonly artifactRoot: (tenant: string) => string | null;
  /**
   * Where artifacts of all tenants go on to from `spool`, a directory of this process alone; null: they stay where they
   * are.
   */
  readonly depository: { readonly store: ArtifactStore; readonly spool: string } | null;
  readonly variables: (tenant: string) => Readonly<Record<string, string | undefined>>;
  /** Null: credentials come from where the host document says. */
  readonly secrets: SecretProvider | null;
  /** Whose each of those is; null: tenants may share them. */
  readonly secretOwners: SecretOwners | null;
  /** Hears of every run. */
  readonly telemetry: RunTelemetry;
  /** Null: no run has anybody's grants. */
  readonly grants: GrantStore | null;
  /** Who is asked about calls that need a person's yes. */
  readonly approvals: ApprovalOptions;
  /** Asks through the store in which somebody decides later; null: there is none. */
  readonly asksLater: ApprovalAsker | null;
  /** Null: nobody but the caller of a run gets it. */
  readonly watch: RunWatch | null;
}

/** What a part of this program learns of every run beyond what programs do: the command line says as much. */
export interface RunWatch {
  /** Hears of a run that begins; null: nobody does. */
  observer(runRef: string): RunObserver | null;
  /** How it ended, before its caller is informed. */
  report(runRef: string, report: RunReport): void;
}

/** What is opened for a tenant and a person is opened with. */
export function openingOptions(
  setting: RunSetting,
  {
    tenant,
    principal,
    workingDirectory,
    onExpiry = () => undefined,
  }: {
    readonly tenant: string;
    readonly principal: string;
    readonly workingDirectory: string;
    readonly onExpiry?: (at: number) => void;
  },
): OpeningOptions {
  const { machine, calls, variables, secrets, grants } = setting;
  return {
    ...machine,
    workingDirectory,
    variables: variables(tenant),
    trustDomain: tenant,
    environmentFile: null,
    authorize: [],
    admission: calls,
    ...(grants === null ? {} : { grants: { store: grants, principal } }),
    ...(secrets === null
      ? {}
      : {
          secret: async (binding: string, installation: string) =>
            ownSecret(setting, secrets, { tenant, binding, installation, purpose: 'acquisition' }, onExpiry),
        }),
  };
}

/**
 * Null for one that is not available, or is another tenant's (gateway.md §17). `onExpiry`: from when it is not to be
 * used, by the monotonic clock.
 */
async function ownSecret(
  { machine: { clock }, secretOwners }: RunSetting,
  secrets: SecretProvider,
  query: SecretQuery,
  onExpiry: (at: number) => void,
): Promise<string | null> {
  const secret = await resolveSecret(secrets, query);
  if (secret === null || secretOwners?.isOwn(query.tenant, secret.value) === false) return null;
  if (secret.expiresAt !== undefined) onExpiry(clock.monotonic() + secret.expiresAt - Date.now());
  return secret.value;
}
