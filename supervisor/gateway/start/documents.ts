import { resolve } from 'node:path';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { buildPointer } from '../../../contract/json/pointer.ts';
import { didYouMean } from '../../../contract/names/suggestion.ts';
import { loadGateway, type FindPlace } from '../../documents/gateway/load.ts';
import type { GatewayDocument } from '../../documents/gateway/fields.ts';
import { loadHost, type LoadedHost } from '../../documents/host/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { refusedStart, type StartCause, type Started } from './codes.ts';

type Credential = LoadedHost['document']['credentials'] extends ReadonlyMap<string, infer C> ? C : never;

/** What a gateway reads in its documents; nothing else was opened. */
export interface GatewayDocuments {
  readonly document: GatewayDocument;
  /** Absolute, as are all paths here. */
  readonly hostPath: string;
  readonly host: LoadedHost;
  /** What the bearer is kept in: a variable or a file. */
  readonly bearer: Credential;
  readonly artifactRoot: string | null;
  /** Of a manifest that the document names. */
  readonly pathOf: (path: string) => string;
  readonly placeOf: FindPlace;
}

/** The member that names the bearer. */
export const BINDING = ['authentication', 'bearer', 'binding'] as const;

/** A member of the configuration as a fault names it, and where it is; the path has no name that an author gave. */
export function memberAt(
  { placeOf }: Pick<GatewayDocuments, 'placeOf'>,
  path: readonly string[],
): Pick<StartCause, 'pointer' | 'place'> {
  return { pointer: buildPointer(path), place: placeOf(path) };
}

/** A document is at fault, in the words of the catalogue of diagnostics. */
export const causeOf = ({ code, path, message }: Pick<Diagnostic, 'code' | 'path' | 'message'>): StartCause => ({
  cause: code,
  pointer: path,
  detail: message,
});

/** Stage 1 of gateway.md §1; `pins`: whether its tools must have them. */
export async function loadGatewayDocuments(
  reader: DocumentReader,
  path: string,
  pins: 'pinned' | 'to_be_pinned',
): Promise<Started<GatewayDocuments>> {
  const loaded = loadGateway(await reader.readNamed(path, MAX_BYTES.gateway), pins);
  if (!loaded.ok) return refusedStart(loaded.code, loaded.why);
  const { document, directory, placeOf } = loaded;
  const pathOf = (named: string): string => resolve(directory, named);
  const hostPath = pathOf(document.host.path);
  const host = await loadHost(reader, { kind: 'named', path: hostPath });
  if (!host.ok) return refusedStart('host_invalid', causeOf(host.diagnostic));
  const { credentials } = host.value.document;
  const { binding } = document.authentication.bearer;
  const bearer = credentials.get(binding);
  const member = memberAt({ placeOf }, BINDING);
  if (bearer === undefined) {
    const advice = didYouMean(binding, [...credentials.keys()]) ?? 'declare it under credentials of the host file';
    return refusedStart('credential_unavailable', {
      cause: 'credential_undeclared',
      ...member,
      detail: 'the host file declares none of this name',
      advice,
    });
  }
  if ('literal' in bearer)
    return refusedStart('credential_unavailable', {
      cause: 'credential_literal',
      ...member,
      detail: 'a bearer is an env or file credential',
    });
  const artifactRoot = document.artifacts === undefined ? null : pathOf(document.artifacts.root);
  return { ok: true, value: { document, hostPath, host: host.value, bearer, artifactRoot, pathOf, placeOf } };
}
