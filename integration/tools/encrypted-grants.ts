import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GrantKey, GrantStore, StoredGrant } from '../../supervisor/api/supervisor.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A store as a calling program may bring one: a file for each grant, encrypted with a key of its tenant and bound to its name, so
 * that no file can stand in for another. A file is replaced at once; who replaces it holds its lock.
 */
export class EncryptedGrants implements GrantStore {
  readonly #folder: string;
  readonly #secret: Uint8Array;

  constructor(folder: string, secret: Uint8Array) {
    this.#folder = folder;
    this.#secret = secret;
  }

  async read(key: GrantKey): Promise<StoredGrant | null> {
    try {
      return this.#open(key, readFileSync(this.#file(key)));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async replace(key: GrantKey, generation: number | null, grant: StoredGrant): Promise<boolean> {
    return this.#locked(key, async () => {
      if (((await this.read(key))?.generation ?? null) !== generation) return false;
      const written = `${this.#file(key)}.${randomBytes(6).toString('hex')}`;
      writeFileSync(written, this.#sealed(key, grant), { mode: 0o600, flush: true });
      renameSync(written, this.#file(key));
      return true;
    });
  }

  async remove(key: GrantKey, generation: number): Promise<void> {
    await this.#locked(key, async () => {
      if ((await this.read(key))?.generation === generation) rmSync(this.#file(key));
    });
  }

  async #locked<T>(key: GrantKey, work: () => Promise<T>): Promise<T> {
    const [own, lock] = [`${this.#file(key)}.${randomBytes(6).toString('hex')}`, `${this.#file(key)}.lock`];
    writeFileSync(own, '');
    try {
      linkSync(own, lock);
    } finally {
      rmSync(own);
    }
    try {
      return await work();
    } finally {
      rmSync(lock);
    }
  }

  #file({ tenant, principal, id }: GrantKey): string {
    return join(this.#folder, createHash('sha256').update(JSON.stringify([tenant, principal, id])).digest('hex'));
  }

  #keyOf(tenant: string): Uint8Array {
    return createHash('sha256').update(this.#secret).update(tenant).digest();
  }

  #sealed(key: GrantKey, grant: StoredGrant): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyOf(key.tenant), nonce);
    cipher.setAAD(Buffer.from(this.#file(key)));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(grant)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  #open(key: GrantKey, bytes: Buffer): StoredGrant {
    const decipher = createDecipheriv(CIPHER, this.#keyOf(key.tenant), bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(this.#file(key)));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const grant: StoredGrant = JSON.parse(Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8'));
    return grant;
  }
}
