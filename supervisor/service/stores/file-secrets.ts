import { createHmac, randomBytes } from 'node:crypto';
import { NAME } from '../../../contract/diagnostics/grammar.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import type { SecretProvider } from './interface.ts';
import { readOwnFile } from './own-file.ts';
import { openTenantPart } from './tenant-folder.ts';

/** providers.md §4; the line feed that an editor leaves is none of it. */
const FILE_BYTES = 65_536 + 1;
const BINDING = new RegExp(`^${NAME}$`);

/**
 * Credentials of tenants as files `<root>/<tenant>/secrets/<binding>`, UTF-8, each read whenever it is asked for: what
 * is put in its place is used from the next acquisition on, and what is removed is used no more.
 */
export function fileSecrets(tools: ReservationTools, root: string): SecretProvider {
  const key = randomBytes(32);
  return {
    resolve: async ({ tenant, binding }) => {
      const directory = BINDING.test(binding) ? await openTenantPart(tools, root, { tenant, part: 'secrets' }) : null;
      if (directory === null) throw new Error('no such credential');
      try {
        const bytes = await readOwnFile(tools, directory, binding, FILE_BYTES);
        if (bytes === null) throw new Error('no such credential');
        const value = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
        return { value, version: createHmac('sha256', key).update(value).digest('hex') };
      } finally {
        await directory.directory.close();
      }
    },
  };
}
