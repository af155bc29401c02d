import { open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsMaterial } from '../listener/tls-material.ts';
import { refusedStart, type Started } from './codes.ts';

/** Names of the files with a certificate and what its issuers add, and with its key; both PEM, both absolute. */
export interface TlsFileNames {
  readonly certificate: string;
  readonly key: string;
}

const BYTES_MAX = 1_000_000;
const [OTHERS, GROUP_WRITES, ROOT] = [0o007, 0o020, 0];
const GROUP = 0o070;

interface Whose {
  readonly owner: number;
  readonly mode: number;
}

/** Null for a certificate that nobody but this user and root may change. */
export function certificateFault({ owner, mode }: Whose, userId: number): string | null {
  if (owner !== userId && owner !== ROOT) return 'it belongs to another user';
  return (mode & (GROUP_WRITES | 0o002)) === 0 ? null : 'others may change it; run chmod go-w on it';
}

/**
 * Null for a key that nobody else may read. A group may read one of root, as a mounted secret or a system's folder of
 * keys has it: root decides who is in that group.
 */
export function keyFault({ owner, mode }: Whose, userId: number): string | null {
  if (owner !== userId && owner !== ROOT) return 'it belongs to another user';
  if ((mode & OTHERS) !== 0) return 'others may read or change it; run chmod 600 on it';
  if (owner === ROOT ? (mode & 0o030) !== 0 : (mode & GROUP) !== 0)
    return 'its group may read or change it; run chmod 600 on it';
  return null;
}

/**
 * Reads the files once. Refuses those that others may change, keys that others may read, and files of different pairs.
 */
export async function readTlsFiles({ certificate, key }: TlsFileNames): Promise<Started<TlsMaterial>> {
  const read = {
    certificate: await readOwned(certificate, certificateFault),
    key: await readOwned(key, keyFault),
  };
  if (typeof read.certificate === 'string') return refused('tls_certificate_unusable', '--tls-cert', read.certificate);
  if (typeof read.key === 'string') return refused('tls_key_unusable', '--tls-key', read.key);
  const material = { certificate: read.certificate, key: read.key };
  try {
    createSecureContext({ cert: material.certificate, key: material.key });
  } catch {
    return refused(
      'tls_files_unfit',
      '--tls-cert and --tls-key',
      'they are not a certificate and its key, both in PEM form and the key without a passphrase',
    );
  }
  return { ok: true, value: material };
}

/** No path is in it: a gateway's log is read by others, too. */
function refused(cause: string, option: string, words: string): Started<never> {
  return refusedStart('listener_unavailable', { cause, pointer: null, detail: `${option}: ${words}` });
}

/** The bytes of a file whose owner and mode were looked at after it was opened, or why it cannot be used. */
async function readOwned(
  path: string,
  faultOf: (whose: Whose, userId: number) => string | null,
): Promise<Buffer | string> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return 'it cannot be opened';
  try {
    const status = await file.stat();
    if (!status.isFile()) return 'it is not a file';
    const fault = faultOf({ owner: status.uid, mode: status.mode }, process.getuid?.() ?? ROOT);
    if (fault !== null) return fault;
    return status.size > BYTES_MAX ? `it is larger than ${BYTES_MAX} bytes` : await file.readFile();
  } catch {
    return 'it cannot be read';
  } finally {
    await file.close();
  }
}
