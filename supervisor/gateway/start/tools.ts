import { buildPointer } from '../../../contract/json/pointer.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { didYouMean } from '../../../contract/names/suggestion.ts';
import type { Supervisor } from '../../service/embedding/types.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { GatewayDocument } from '../../documents/gateway/fields.ts';
import { loadManifest } from '../../documents/manifest/load.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import { loadTarget } from '../../documents/project/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { toolEntry } from '../tools/catalogue.ts';
import type { Tool } from '../tools/call-services.ts';
import { memberAt, type GatewayDocuments } from './documents.ts';
import { selectedSources, type SelectedSources } from './sources.ts';
import type { StartCause, ToolCode } from './codes.ts';
import { brokenTemplate, noTemplate, prepareTemplate, templateFault, type Template } from './template.ts';

const WRITE_PINS = 'run svc gateway with --write-pins to write all pins again';

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
function toolPath(
  { document }: GatewayDocuments,
  declared: ToolDeclaration,
  member: keyof ToolDeclaration,
): readonly string[] {
  return ['tools', String(document.tools.indexOf(declared)), member];
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
      ...memberAt(documents, toolPath(documents, declared, 'application')),
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
      ...memberAt(documents, toolPath(documents, declared, 'expected_application_content_digest')),
      advice: `look at what changed in the application, then ${WRITE_PINS}`,
    });
  }
  if (effect === 'write' && !declared.allow_write) {
    return refused('write_forbidden', {
      cause: 'application_writes',
      ...memberAt(documents, toolPath(documents, declared, 'allow_write')),
      advice: 'write "allow_write": true at the tool, and add private_audit, if clients may let it write',
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

/** Why the pins of the installations that a tool selects are not exactly those that it has; null: they are. */
export function installationPinFault(
  documents: GatewayDocuments,
  declared: ToolDeclaration,
  { tool: { application } }: CheckedTool & { readonly ok: true },
): StartCause | null {
  return pinFault(documents, declared, {
    member: 'installation_config_pins',
    cause: 'installation_differs',
    found: application.installationDigests,
  });
}

/** Whether what was acquired for a tool is exactly what is pinned. */
export function hasPinnedSnapshots(
  { provider_snapshot_pins: pins }: ToolDeclaration,
  identities: Readonly<Record<string, string>>,
): boolean {
  return otherPin(pins, identities) === undefined;
}

/** Why what was acquired for a tool is not exactly what is pinned; null: it is. */
export function snapshotPinFault(
  documents: GatewayDocuments,
  declared: ToolDeclaration,
  identities: Readonly<Record<string, string>>,
): StartCause | null {
  return pinFault(documents, declared, {
    member: 'provider_snapshot_pins',
    cause: 'snapshot_differs',
    found: identities,
  });
}

function pinFault(
  documents: GatewayDocuments,
  declared: ToolDeclaration,
  {
    member,
    cause,
    found,
  }: {
    readonly member: 'installation_config_pins' | 'provider_snapshot_pins';
    readonly cause: string;
    readonly found: Readonly<Record<string, string>>;
  },
): StartCause | null {
  const pins = declared[member];
  const names = Object.keys(found);
  const other = otherPin(pins, found);
  if (other === undefined) return null;
  const path = toolPath(documents, declared, member);
  const place = documents.placeOf([...path, other]);
  return { cause, pointer: buildPointer(path), place, advice: pinHint(other, names, pins) };
}

/** The first name that is pinned otherwise than it was found; undefined: none. */
function otherPin(pins: ReadonlyMap<string, string>, found: Readonly<Record<string, string>>): string | undefined {
  const isOther = (name: string): boolean => !Object.hasOwn(found, name) || pins.get(name) !== found[name];
  return [...pins.keys()].find((name) => !Object.hasOwn(found, name)) ?? Object.keys(found).find(isOther);
}

function pinHint(name: string, selected: readonly string[], pins: ReadonlyMap<string, string>): string {
  if (!pins.has(name)) return `add the pin of ${name}; ${WRITE_PINS}`;
  if (selected.includes(name)) return `${name} is not what was pinned; look at what changed, then ${WRITE_PINS}`;
  const unpinned = selected.filter((one) => !pins.has(one));
  const near = didYouMean(name, unpinned.length > 0 ? unpinned : selected);
  return `the application has no ${name}; ${near ?? `remove it, or ${WRITE_PINS}`}`;
}
