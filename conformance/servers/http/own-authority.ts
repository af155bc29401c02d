import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate and its key, as PEM. */
export interface SignedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that was made for one test, and that nobody trusts who is not told to. */
export interface OwnAuthority {
  /** Its certificate, as PEM. */
  readonly certificate: string;
  /** A certificate for a server of these names and addresses. */
  sign(...names: readonly string[]): Promise<SignedCertificate>;
}

const openssl = promisify(execFile);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Makes an authority with openssl, in a folder that is gone when `use` settles. */
export async function withOwnAuthority<T>(use: (authority: OwnAuthority) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-authority-'));
  const run = async (...words: readonly string[]): Promise<unknown> => openssl('openssl', words, { cwd: folder });
  let signed = 0;
  try {
    await run(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=svc own',
      '-addext',
      'keyUsage=critical,keyCertSign',
    );
    return await use({
      certificate: await readFile(join(folder, 'ca.pem'), 'utf8'),
      sign: async (...names) => {
        signed += 1;
        const [key, request, certificate, extensions] = ['key', 'csr', 'pem', 'ext'].map((end) => `${signed}.${end}`);
        if (key === undefined || request === undefined || certificate === undefined || extensions === undefined)
          throw new Error('four names');
        const alternatives = names.map((name) => `${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`).join(',');
        await writeFile(join(folder, extensions), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
        await run('req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', '/CN=svc server');
        await run(
          'x509',
          '-req',
          '-in',
          request,
          '-CA',
          'ca.pem',
          '-CAkey',
          'ca.key',
          '-CAcreateserial',
          '-days',
          '1',
          '-extfile',
          extensions,
          '-out',
          certificate,
        );
        return {
          cert: await readFile(join(folder, certificate), 'utf8'),
          key: await readFile(join(folder, key), 'utf8'),
        };
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
