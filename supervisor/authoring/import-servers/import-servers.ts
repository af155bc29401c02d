import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { success, type Refused, type Success } from '../../../contract/outcome.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import { loadHost } from '../../documents/host/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { BoundCredentials } from './bound-credentials.ts';
import { CLIENT_FILE_BYTES, readClientFile, type ClientServer } from '../../documents/client-file/client-file.ts';
import { findInstallationFault } from './host-fault.ts';
import { replaceDocument } from '../../../system/replace-file.ts';
import { importServer, type ImportedServer } from './imported-server.ts';
import { mergedHost, newHost } from './merged-host.ts';
import { workspaceOf } from '../../documents/client-file/workspace.ts';

/** What `svc host import` is asked (cli.md §10). */
export interface ImportServersOptions {
  /** Absolute, as all paths. */
  readonly files: readonly string[];
  readonly hostConfig: string;
  readonly home: string;
  readonly documents: FileSystem;
  /** Whether the host document is written. */
  readonly writes: boolean;
}

/** Servers of clients as a host document has them now. */
export interface ImportReport {
  /** The host document, absolute. */
  readonly host: string;
  readonly created: boolean;
  readonly written: boolean;
  readonly installed: readonly InstalledServer[];
  /** Aliases that the host document had before: none of them is changed. */
  readonly kept: readonly string[];
  readonly leftOut: readonly LeftOutServer[];
}

/** A server that was added. */
export interface InstalledServer {
  readonly alias: string;
  readonly server: string;
  readonly file: string;
  readonly bound: ImportedServer['bound'];
  readonly notes: readonly string[];
}

/** A server that could not be added, and why. */
export interface LeftOutServer {
  readonly server: string;
  readonly file: string;
  readonly reason: string;
}

/** How an import ended: a refusal changed nothing. */
export type ImportEnd = Success<ImportReport> | Refused;

/** Adds the servers of clients' configurations to a host document, or to a new one (world.md §2.3). */
export async function importServers(options: ImportServersOptions): Promise<ImportEnd> {
  const { files, hostConfig, documents } = options;
  const before = await readHost(options);
  if (!before.ok) return before;
  const found: { readonly file: string; readonly server: ClientServer }[] = [];
  for (const file of files) {
    const read = await createDocumentReader(documents, '/').readNamed(file, CLIENT_FILE_BYTES);
    if (!read.ok)
      return refused(
        read.fault === 'missing' ? `there is no file ${file}` : `${file} is no file that can be read safely`,
      );
    const client = readClientFile(read.file.bytes);
    if (!client.ok) return refused(`${file}: ${client.fault}`);
    found.push(...client.servers.map((server) => ({ file, server })));
  }
  if (found.length === 0) return refused('the configuration has no server');
  const { additions, ...report } = added(found, before, options);
  if (additions.install.size === 0 && report.kept.length === 0)
    return refused(report.leftOut.map(({ server, reason }) => `${JSON.stringify(server)}: ${reason}`).join('; '));
  const text = before.bytes === null ? newHost(additions) : mergedHost(before.bytes, additions);
  if (text === null || Buffer.byteLength(text) > MAX_BYTES.host)
    return refused('the host document would become larger than it may be');
  const written = options.writes && additions.install.size > 0;
  if (written && !(await replaceDocument(hostConfig, text)))
    return { ok: false, diagnostic: diagnostic('result_publication_failed'), hint: null };
  return success({ ...report, host: hostConfig, created: written && before.bytes === null, written });
}

interface HostBefore {
  readonly ok: true;
  /** Null where there is none yet. */
  readonly bytes: Uint8Array | null;
  readonly install: JsonObject;
  readonly credentials: JsonObject;
}

/** A document that is there has to be right: nothing is added to what cannot be read whole. */
async function readHost({ hostConfig, documents }: ImportServersOptions): Promise<HostBefore | Refused> {
  if (!existsSync(hostConfig)) return { ok: true, bytes: null, install: new Map(), credentials: new Map() };
  const reader = createDocumentReader(documents, '/');
  const host = await loadHost(reader, { kind: 'named', path: hostConfig });
  if (!host.ok)
    return {
      ok: false,
      diagnostic: host.diagnostic,
      hint: `svc models --host-config ${basename(hostConfig)} says where it is wrong`,
    };
  const read = await reader.readNamed(hostConfig, MAX_BYTES.host);
  const parsed = read.ok ? parseJson(read.file.bytes, documentLimits(MAX_BYTES.host)) : null;
  if (!read.ok || parsed?.ok !== true) return { ok: false, diagnostic: diagnostic('host_unavailable'), hint: null };
  const root = valueOf(parsed.root);
  const member = (name: string): JsonObject => {
    const value = isJsonObject(root) ? root.get(name) : undefined;
    return isJsonObject(value) ? value : new Map();
  };
  return { ok: true, bytes: read.file.bytes, install: member('install'), credentials: member('credentials') };
}

interface Added extends Pick<ImportReport, 'installed' | 'kept' | 'leftOut'> {
  readonly additions: { readonly install: JsonObject; readonly credentials: JsonObject };
}

function added(
  found: readonly { readonly file: string; readonly server: ClientServer }[],
  before: HostBefore,
  { home, hostConfig }: ImportServersOptions,
): Added {
  const credentials = new BoundCredentials(before.credentials);
  const install = new Map<string, JsonValue>();
  const claimed = new Map<string, string>();
  const installed: InstalledServer[] = [];
  const unchanged: string[] = [];
  const leftOut: LeftOutServer[] = [];
  for (const { file, server } of found) {
    const leave = (reason: string): void => void leftOut.push({ server: server.name, file, reason });
    const places = { workspace: workspaceOf(file), home, hostDirectory: dirname(hostConfig) };
    const imported = importServer(server, places, credentials);
    if (!imported.ok) {
      leave(imported.reason);
      continue;
    }
    const { alias, installation, bound, notes } = imported;
    const other = claimed.get(alias);
    if (other !== undefined) {
      leave(`it would be called ${alias}, as ${JSON.stringify(other)} is: rename one of the two`);
      continue;
    }
    claimed.set(alias, server.name);
    if (before.install.has(alias)) {
      unchanged.push(alias);
      continue;
    }
    const fault = findInstallationFault(alias, installation, new Map([...before.credentials, ...credentials.added]));
    if (fault === null) {
      install.set(alias, installation);
      installed.push({ alias, server: server.name, file, bound, notes });
    } else leave(fault);
  }
  // What was bound for a server that is not installed is not declared.
  const used = new Set(installed.flatMap(({ bound }) => bound.map(({ credential }) => credential)));
  const declared = new Map([...credentials.added].filter(([name]) => used.has(name)));
  return { installed, kept: unchanged, leftOut, additions: { install, credentials: declared } };
}

function refused(hint: string): Refused {
  return { ok: false, diagnostic: diagnostic('invalid_arguments'), hint };
}
