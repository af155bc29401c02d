import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { PreparedApplication, Supervisor } from '../../embedding/types.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { GatewayDocument } from '../../documents/gateway/fields.ts';
import { loadManifest } from '../../documents/manifest/load.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import { loadTarget } from '../../documents/project/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { toolEntry } from '../tools/catalogue.ts';
import type { Tool } from '../tools/call.ts';
import type { GatewayDocuments } from './documents.ts';
import { selectedSources } from './sources.ts';
import type { SelectedSources } from './sources.ts';
import type { ToolCode } from './codes.ts';

export type ToolDeclaration = GatewayDocument['tools'][number];

/** What a tool came to: it may be called, or why not. */
export type CheckedTool = { readonly ok: true; readonly tool: Omit<Tool, 'providers'>; readonly selected: SelectedSources } | { readonly ok: false; readonly code: ToolCode };

/** What tools are checked with. */
export interface ToolChecks {
  readonly documents: GatewayDocuments;
  readonly reader: DocumentReader;
  readonly supervisor: Pick<Supervisor, 'prepare'>;
  /** Whether the content must be the one that is pinned. */
  readonly comparesContent: boolean;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const refused = (code: ToolCode): CheckedTool => ({ ok: false, code });

/** In byte order of their names, in which they are processed and listed (documents.md §8). */
export function inNameOrder(tools: readonly ToolDeclaration[]): readonly ToolDeclaration[] {
  return tools.toSorted((left, right) => compareUtf8(left.name, right.name));
}

/** Stage 3 of gateway.md §1 for one tool; `place`: its place among all. */
export async function checkTool(declared: ToolDeclaration, place: number, { documents, reader, supervisor, comparesContent, now }: ToolChecks): Promise<CheckedTool> {
  const path = documents.pathOf(declared.application.manifest);
  const manifest = await manifestAt(reader, path, now);
  if (manifest === null || !isTemplate(manifest)) return refused('template_invalid');
  const selected = selectedSources(manifest, documents.host);
  if (selected === null) return refused('provider_source_unsupported');
  const application = await prepared(supervisor, documents.hostPath, path);
  if (application === null || application.effect === 'unknown' || application.contracts.input === null || application.contracts.result === null) return refused('template_invalid');
  const { contentDigest, effectiveDigest, effect, contracts } = application;
  const { name, title, description } = declared;
  const entry = toolEntry({ name, title, description, readsOnly: effect === 'read', contentDigest, effectiveDigest }, contracts);
  if (entry === null) return refused('template_invalid');
  if (comparesContent && contentDigest !== declared.expected_application_content_digest) return refused('application_content_digest_mismatch');
  if (effect === 'write' && !declared.allow_write) return refused('write_forbidden');
  return { ok: true, tool: { entry, application, tenant: `tool-${place}` }, selected };
}

/** Null for a project, and for what is no manifest. */
async function manifestAt(reader: DocumentReader, path: string, now: () => number): Promise<Manifest | null> {
  const target = await loadTarget(reader, path);
  if (!target.ok || target.value.kind !== 'application') return null;
  const loaded = loadManifest(await reader.readNamed(path, MAX_BYTES.manifest), now);
  return loaded.ok ? loaded.value.manifest : null;
}

/** Contracts on both sides, normal events, and no name that all runs would share. */
function isTemplate({ contracts, events }: Manifest): boolean {
  return contracts.input_schema !== undefined && contracts.result_schema !== undefined && events.policy === 'normal' && events.run_id === undefined && events.trace_id === undefined;
}

async function prepared(supervisor: Pick<Supervisor, 'prepare'>, host: string, manifest: string): Promise<PreparedApplication | null> {
  try {
    return await supervisor.prepare({ kind: 'directory', manifest, host, declaredInput: 'ignored' });
  } catch (error) {
    // Of another built file, so that its class is not known here.
    if (error instanceof Error && error.name === 'PreparationRefused') return null;
    throw error;
  }
}

/** Whether the installations that a tool selects are exactly those that are pinned. */
export function hasPinnedInstallations({ installation_config_pins: pins }: ToolDeclaration, { tool: { application } }: CheckedTool & { readonly ok: true }): boolean {
  return isSame(pins, application.installationDigests);
}

/** Whether what was acquired for it is exactly what is pinned. */
export function hasPinnedSnapshots({ provider_snapshot_pins: pins }: ToolDeclaration, identities: Readonly<Record<string, string>>): boolean {
  return isSame(pins, identities);
}

function isSame(pins: ReadonlyMap<string, string>, found: Readonly<Record<string, string>>): boolean {
  return pins.size === Object.keys(found).length && [...pins].every(([name, digest]) => Object.hasOwn(found, name) && found[name] === digest);
}
