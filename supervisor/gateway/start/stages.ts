import { loadEnvironmentFile } from '../../documents/environment-file/load.ts';
import { openAudit, type Audit } from '../audit/audit.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { isBearerToken, keepBearer, type HashedBearer } from '../listener/bearer.ts';
import { readStateKey, RoundSeal } from '../../code/asking/round-state.ts';
import { META } from '../../../contract/mcp/era.ts';
import { openKeyedCalls, type KeyedCalls } from '../repeated/keyed-calls.ts';
import type { CallAudit } from '../tools/audited-call.ts';
import { readCredentialValue } from '../../providers/credentials.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { OpenedProviders, Supervisor } from '../../service/embedding/types.ts';
import type { HostingSupervisor } from '../../service/runs/create.ts';
import { refusedStart, type RefusedStart, type StartFault, type Started } from './codes.ts';
import { BINDING, memberAt, type GatewayDocuments } from './documents.ts';
import type { GatewayOptions } from './options.ts';
import { acquireFor } from './providers.ts';
import type { TlsMaterial } from '../listener/tls-material.ts';
import {
  checkTool,
  inNameOrder,
  installationPinFault,
  snapshotPinFault,
  type CheckedTool,
  type ToolDeclaration,
} from './tools.ts';

/** What stages 1 and 2 opened. */
export interface Opened {
  readonly documents: GatewayDocuments;
  readonly reader: DocumentReader;
  readonly supervisor: HostingSupervisor;
  /** Null: it speaks no TLS. */
  readonly tls: TlsMaterial | null;
  /** Filled at stage 7; a supervisor asks for variables only when a run acquires what needs them. */
  readonly environment: { values: Readonly<Record<string, string | undefined>> };
}

interface Checked {
  readonly declared: ToolDeclaration;
  readonly checked: CheckedTool;
}

/** A tool that may be called once its providers are there. */
export type Passed = Checked & { readonly checked: CheckedTool & { readonly ok: true } };

/** A tool with what was opened for it; null: its runs open everything themselves. */
export interface ToolWithProviders extends Passed {
  readonly providers: OpenedProviders | null;
}

/** Stage 3, all tools in their order; the first that fails is the last that is looked at unless `all`. */
export async function checkTools(
  { documents, reader, supervisor }: Opened,
  terms: { readonly all: boolean; readonly comparesContent: boolean },
): Promise<{ readonly passed: readonly Passed[]; readonly faults: readonly StartFault[] }> {
  const passed: Passed[] = [];
  const faults: StartFault[] = [];
  for (const [place, declared] of inNameOrder(documents.document.tools).entries()) {
    const checked = await checkTool(declared, place, {
      documents,
      reader,
      supervisor,
      comparesContent: terms.comparesContent,
      now: () => performance.now(),
    });
    if (checked.ok) passed.push({ declared, checked });
    else faults.push({ tool: declared.name, code: checked.code, why: checked.why });
    if (!checked.ok && !terms.all) break;
  }
  return { passed, faults };
}

/** `_meta` of every result by name, canonical JSON. */
export const serverMeta = (version: string): string => plainJson({ [META.server]: { name: 'svc', version } });

/** What is written of calls; `audit`: null where no tool may write. */
export interface Recording {
  readonly audit: (Audit & CallAudit) | null;
  readonly keyed: KeyedCalls;
}

/** Stage 5. */
export async function openRecording(
  documents: GatewayDocuments,
  options: Pick<GatewayOptions, 'onFence'>,
): Promise<Started<Recording>> {
  const audit = await auditOf(documents, options);
  const keyed =
    audit === 'unavailable'
      ? null
      : await openKeyedCalls({ directory: audit?.directory ?? null, now: Date.now, onFence: options.onFence });
  if (audit !== 'unavailable' && keyed !== null) return { ok: true, value: { audit, keyed } };
  if (audit !== 'unavailable') await audit?.close();
  return refusedStart('audit_unavailable', {
    cause: 'directory_unusable',
    ...memberAt(documents, ['private_audit', 'directory']),
    detail:
      'it has to be there, be of this user alone (mode 0700), hold files of an audit and nothing else, and be in use by no other gateway',
  });
}

/** Leaves the directory of the audit as it was where nothing was recorded. */
export async function closeRecording({ audit, keyed }: Recording): Promise<boolean> {
  await keyed.close();
  return (await audit?.close()) ?? true;
}

async function auditOf(
  { document: { private_audit: bounds, authentication }, pathOf }: GatewayDocuments,
  { onFence }: Pick<GatewayOptions, 'onFence'>,
): Promise<(Audit & CallAudit) | 'unavailable' | null> {
  if (bounds === undefined) return null;
  const timestamp = (): string => new Date().toISOString();
  const audit = await openAudit({
    fileSystem: nodeFileSystem(),
    owners: processOwnerProbe(),
    directory: pathOf(bounds.directory),
    maxFileBytes: bounds.max_file_bytes,
    maxRetainedFiles: bounds.max_retained_files,
    now: timestamp,
    onFence,
  });
  return audit === null ? 'unavailable' : { ...audit, timestamp, principal: authentication.bearer.binding };
}

/** Stage 7: the environment file, read once into a map that no other process sees; null: it was. */
export async function readEnvironment(options: GatewayOptions, { environment }: Opened): Promise<RefusedStart | null> {
  if (options.environmentFile === null) return null;
  const assigned = await loadEnvironmentFile(options.documents, options.workingDirectory, {
    kind: 'named',
    path: options.environmentFile,
  });
  if (!assigned.ok)
    return refusedStart('credential_unavailable', {
      cause: assigned.diagnostic.code,
      pointer: null,
      detail: assigned.diagnostic.message,
    });
  environment.values = { ...options.variables, ...Object.fromEntries(assigned.value) };
  return null;
}

/** Stage 7. */
export async function captureBearer(
  options: GatewayOptions,
  { documents, environment }: Opened,
): Promise<Started<HashedBearer>> {
  const token = await readCredentialValue(documents.bearer, documents.host.directory, {
    files: options.documents,
    variable: (name) => environment.values[name],
  });
  if (token !== null && isBearerToken(token)) return { ok: true, value: keepBearer(token) };
  return refusedStart('credential_unavailable', {
    cause: token === null ? 'bearer_missing' : 'bearer_malformed',
    ...memberAt(documents, BINDING),
    detail:
      token === null
        ? 'its variable or file has no value'
        : 'a bearer has 32 to 4096 letters, digits and -._~+/, and may end with =',
  });
}

/** The key of several gateways that take each other's states (approvals.md §6). */
const STATE_KEY = 'SVC_GATEWAY_STATE_KEY';

/** Stage 7: what states are sealed with; without the variable a key of this process alone. */
export function openRoundSeal({ environment }: Pick<Opened, 'environment'>): Started<RoundSeal> {
  const text = environment.values[STATE_KEY];
  if (text === undefined || text === '') return { ok: true, value: new RoundSeal() };
  const key = readStateKey(text);
  if (key !== null) return { ok: true, value: new RoundSeal(key) };
  return refusedStart('credential_unavailable', {
    cause: 'state_key_malformed',
    pointer: null,
    detail: `${STATE_KEY} is a key of 32 bytes, as 64 hex digits or in base64`,
  });
}

/**
 * Stage 8, all tools together; of several failures the one of the lowest name is reported. What was opened is closed
 * with the supervisor.
 */
export async function acquireAll(
  passed: readonly Passed[],
  supervisor: Supervisor,
): Promise<Started<readonly ToolWithProviders[]>> {
  const ends = await Promise.all(
    passed.map(async (tool) => ({ tool, end: await acquireFor(tool.checked, supervisor) })),
  );
  const tools: ToolWithProviders[] = [];
  for (const { tool, end } of ends) {
    if (!end.ok) return refusedStart(end.code, end.why, tool.declared.name);
    tools.push({ ...tool, providers: end.providers });
  }
  return { ok: true, value: tools };
}

/** Whether the installations of all tools are configured as pinned; null: they are. */
export function installationFault(documents: GatewayDocuments, passed: readonly Passed[]): RefusedStart | null {
  for (const { declared, checked } of passed) {
    const why = installationPinFault(documents, declared, checked);
    if (why !== null) return refusedStart('installation_pin_mismatch', why, declared.name);
  }
  return null;
}

/** Whether what was opened is what is pinned; null: it is. */
export function snapshotFault(
  documents: GatewayDocuments,
  acquired: readonly ToolWithProviders[],
): RefusedStart | null {
  for (const { declared, providers } of acquired) {
    const why = snapshotPinFault(documents, declared, providers?.identities ?? {});
    if (why !== null) return refusedStart('provider_pin_mismatch', why, declared.name);
  }
  return null;
}
