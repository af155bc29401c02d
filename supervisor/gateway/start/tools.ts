import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { Supervisor } from '../../service/embedding/types.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { GatewayDocument } from '../../documents/gateway/fields.ts';
import { loadManifest } from '../../documents/manifest/load.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import { loadTarget } from '../../documents/project/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { toolEntry } from '../tools/catalogue.ts';
import type { Tool } from '../tools/call-services.ts';
import type { GatewayDocuments } from './documents.ts';
import { selectedSources, type SelectedSources } from './sources.ts';
import type { StartCause, ToolCode } from './codes.ts';
import { brokenTemplate, noTemplate, prepareTemplate, templateFault, type Template } from './template.ts';

export type ToolDeclaration = GatewayDocument['tools'][number];

/** What a tool came to: it may be called, or why not. */
export type CheckedTool =
  | {
      readonly ok: true;
      readonly tool: Omit<Tool, 'providers'>;
      readonly selected: SelectedSources;
      readonly missions: readonly string[];
    }
  | { readonly ok: false; readonly code: ToolCode; readonly why: StartCause };

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

const refused = (code: ToolCode, why: StartCause): CheckedTool => ({ ok: false, code, why });
const invalid = (why: StartCause): CheckedTool => refused('template_invalid', why);

/** A member of a tool in the configuration. */
export function toolPointer(
  { document }: GatewayDocuments,
  declared: ToolDeclaration,
  member: keyof ToolDeclaration,
): string {
  return `/tools/${document.tools.indexOf(declared)}/${member}`;
}

/** In byte order of their names, in which they are processed and listed (documents.md §8). */
export function inNameOrder(tools: readonly ToolDeclaration[]): readonly ToolDeclaration[] {
  return tools.toSorted((left, right) => compareUtf8(left.name, right.name));
}

/** Stage 3 of gateway.md §1 for one tool; `place`: its place among all. */
export async function checkTool(
  declared: ToolDeclaration,
  place: number,
  { documents, reader, supervisor, comparesContent, now }: ToolChecks,
): Promise<CheckedTool> {
  const path = documents.pathOf(declared.application.manifest);
  const manifest = await readManifestAt(reader, path, now);
  if (!manifest.ok) return invalid(manifest.fault);
  const fault = templateFault(manifest.value);
  if (fault !== null) return invalid(fault);
  const selected = selectedSources(manifest.value, documents.host);
  if (selected === null)
    return refused('provider_source_unsupported', {
      cause: 'source_not_served',
      pointer: toolPointer(documents, declared, 'application'),
    });
  const prepared = await prepareTemplate(supervisor, documents.hostPath, path);
  if (!prepared.ok) return invalid(prepared.fault);
  const { value: application } = prepared;
  const { contentDigest, effectiveDigest, effect, asks, contracts } = application;
  const { name, title, description } = declared;
  const entry = toolEntry(
    { name, title, description, readsOnly: effect === 'read', asks, contentDigest, effectiveDigest },
    contracts,
  );
  if (entry === null) return invalid(noTemplate('contract_unfit', '/contracts').fault);
  if (comparesContent && contentDigest !== declared.expected_application_content_digest) {
    return refused('application_content_digest_mismatch', {
      cause: 'content_differs',
      pointer: toolPointer(documents, declared, 'expected_application_content_digest'),
    });
  }
  if (effect === 'write' && !declared.allow_write) {
    return refused('write_forbidden', {
      cause: 'application_writes',
      pointer: toolPointer(documents, declared, 'allow_write'),
    });
  }
  return {
    ok: true,
    tool: { entry, application, tenant: `tool-${place}`, asks },
    selected,
    missions: [...manifest.value.missions.keys()],
  };
}

/** A project is none. */
async function readManifestAt(reader: DocumentReader, path: string, now: () => number): Promise<Template<Manifest>> {
  const target = await loadTarget(reader, path);
  if (!target.ok) return brokenTemplate(target.diagnostic);
  if (target.value.kind !== 'application') return noTemplate('project_given');
  const loaded = loadManifest(await reader.readNamed(path, MAX_BYTES.manifest), 'named', now);
  return loaded.ok ? { ok: true, value: loaded.value } : brokenTemplate(loaded.diagnostic);
}

/** Whether the installations that a tool selects are exactly those that are pinned. */
export function hasPinnedInstallations(
  { installation_config_pins: pins }: ToolDeclaration,
  { tool: { application } }: CheckedTool & { readonly ok: true },
): boolean {
  return isSame(pins, application.installationDigests);
}

/** Whether what was acquired for it is exactly what is pinned. */
export function hasPinnedSnapshots(
  { provider_snapshot_pins: pins }: ToolDeclaration,
  identities: Readonly<Record<string, string>>,
): boolean {
  return isSame(pins, identities);
}

function isSame(pins: ReadonlyMap<string, string>, found: Readonly<Record<string, string>>): boolean {
  return (
    pins.size === Object.keys(found).length &&
    [...pins].every(([name, digest]) => Object.hasOwn(found, name) && found[name] === digest)
  );
}
