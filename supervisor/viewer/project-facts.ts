import { basename } from 'node:path';
import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { loadApplicationDocuments, type ApplicationDocuments } from '../documents/application.ts';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Target } from '../documents/project/load.ts';
import { loadNamedHost } from '../documents/project/named.ts';
import { MAX_BYTES } from '../documents/sizes.ts';
import { findText, members, objectOf } from '../history/analysis/members.ts';
import { applicationFacts } from './live/project.ts';

/** The project whose runs a viewer shows. */
export interface ShownProject {
  /** As the command line named it. */
  readonly document: string;
  readonly target: Target;
  readonly reader: DocumentReader;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly libraries: LibraryRegistry;
  /** `viewer.private`. */
  readonly showsPrivate: boolean;
  /** The clear name of the application, with the fingerprint that its runs carry; null without one. */
  readonly label: { readonly name: string; readonly fingerprint: string } | null;
}

/** Facts of the project for its page, from its documents as they are now. */
export async function readProjectFacts(project: ShownProject): Promise<JsonObject> {
  const { document, target, showsPrivate, label } = project;
  const application = await loadDocuments(project);
  const facts = members({
    enabled: application.ok,
    project: basename(document),
    name: label?.name ?? null,
    name_fingerprint: label?.fingerprint ?? null,
  });
  if (!application.ok) return new Map([...facts, ...members({ fault: application.diagnostic.code })]);
  const showsInput = showsPrivate || application.value.manifest.events.policy === 'normal';
  const shown = applicationFacts(application.value, { manifestName: manifestName(target), showsInput });
  return new Map([...facts, ...shown]);
}

/** The documents of the application as they are now: what is on the page may be older. */
async function loadDocuments({
  workingDirectory,
  libraries,
  reader,
  target,
}: ShownProject): Promise<Outcome<ApplicationDocuments>> {
  const host = await loadNamedHost({ hostConfig: null, workingDirectory }, reader, target);
  if (!host.ok) return host;
  return loadApplicationDocuments({
    reader,
    workingDirectory,
    manifest: target.manifest,
    host: host.value,
    libraries,
    input: null,
    override: null,
    identityFixed: true,
    now: () => performance.now(),
  });
}

function manifestName({ manifest }: Target): string {
  return manifest.kind === 'named' ? basename(manifest.path) : manifest.reference;
}

/** The clear name that the manifest gives; null without one, or without a manifest that can be read. */
export async function readApplicationName(reader: DocumentReader, target: Target): Promise<string | null> {
  const { manifest } = target;
  const read = await (manifest.kind === 'named'
    ? reader.readNamed(manifest.path, MAX_BYTES.manifest)
    : reader.readReference(manifest.directory, manifest.reference, MAX_BYTES.manifest));
  if (!read.ok) return null;
  const parsed = parseJson(read.file.bytes, documentLimits(MAX_BYTES.manifest));
  const root = parsed.ok ? valueOf(parsed.root) : undefined;
  return isJsonObject(root) ? (findText(objectOf(root, 'labels'), 'name') ?? null) : null;
}
