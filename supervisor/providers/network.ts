import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import { SYSTEM_NETWORK, type Network, type ProxySettings } from '../../contract/provider-protocol/network.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { HostDocument } from '../documents/host/fields.ts';
import type { AcquisitionTools, LocalCheck } from './source/installed-provider.ts';

/** Bytes of a file of certificates: that of a system has some 250,000. */
const CA_FILE_BYTES = 4_194_304;
const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

type Declared = HostDocument['network'];

/** The credentials that the way to a server takes; none to one that is asked directly, as each over plain HTTP is. */
export function wayCredentials(host: HostDocument | null, isSecure: boolean): readonly string[] {
  const proxy = host?.network.proxy;
  return isSecure && typeof proxy === 'object' && proxy.binding !== undefined ? [proxy.binding] : [];
}

/** The way to servers that a host document declares (world.md §1.6), as its local check found it. */
export async function networkOf(
  host: HostDocument | null,
  { credentials, variable, reader, hostDirectory }: AcquisitionTools,
): Promise<Network> {
  if (host === null) return SYSTEM_NETWORK;
  const { ca_file: file, proxy } = host.network;
  const read = file === undefined ? null : await readAuthorities(file, reader, hostDirectory ?? '/');
  return {
    authorities: read !== null && read.ok ? read.text : null,
    proxy: proxyOf(proxy, variable, (name) => credentials.get(name)?.reveal() ?? null),
  };
}

/** Null where the host document names no file of certificates. */
export function checkWay(host: HostDocument | null): LocalCheck['run'] | null {
  const file = host?.network.ca_file;
  if (file === undefined) return null;
  return async ({ reader, hostDirectory }) => {
    const read = await readAuthorities(file, reader, hostDirectory);
    return read.ok ? 'passed' : read.finding;
  };
}

type Authorities =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly finding: LocalFinding };

async function readAuthorities(file: string, reader: DocumentReader, hostDirectory: string): Promise<Authorities> {
  const read = await reader.readNamed(resolve(hostDirectory, file), CA_FILE_BYTES);
  if (!read.ok) return unusable('cannot be read');
  const found = Buffer.from(read.file.bytes).toString('latin1').match(CERTIFICATE) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) return unusable('holds no certificates as PEM');
  return { ok: true, text: found.join('\n') };
}

function unusable(why: string): Authorities {
  return { ok: false, finding: { code: 'environment_unavailable', hint: `the file of network.ca_file ${why}` } };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** As programs of all kinds read the environment: the variables in lower case first. */
function proxyOf(
  proxy: Declared['proxy'],
  variable: AcquisitionTools['variable'],
  valueOf: (credential: string) => string | null,
): ProxySettings | null {
  if (proxy === undefined) return null;
  const first = (...names: readonly string[]): string | null =>
    names
      .flatMap((name) => [variable(name), variable(name.toUpperCase())])
      .find((text) => text !== undefined && text !== '') ?? null;
  const exceptions = first('no_proxy');
  if (proxy === 'environment') {
    const url = first('https_proxy', 'all_proxy');
    return url === null ? null : { url, login: null, exceptions };
  }
  const { url, binding } = typeof proxy === 'string' ? { url: proxy, binding: undefined } : proxy;
  return { url, login: binding === undefined ? null : valueOf(binding), exceptions };
}
