import type { BundleName, BundleStore, CompiledReply } from './bundle-store.ts';
import { sharedCompiling } from './shared-compiling.ts';

/** Bytes of code that are kept; a bundle is 4 MB at most (documents.md §3). */
const CODE_BYTES_MAX = 64_000_000;

/** Bundles of earlier runs of this process; those longest unused are forgotten first. */
export function memoryBundleStore(limitBytes: number = CODE_BYTES_MAX): BundleStore {
  const replies = new Map<string, CompiledReply>();
  let bytes = 0;
  const keyOf = ({ environment, hash }: BundleName): string => `${environment}/${hash}`;
  const evict = (key: string): void => {
    const reply = replies.get(key);
    if (reply === undefined) return;
    replies.delete(key);
    bytes -= sizeOf(reply);
  };
  return {
    compiling: sharedCompiling(),
    find: async (name) => {
      const key = keyOf(name);
      const reply = replies.get(key);
      if (reply === undefined) return null;
      // To the young end.
      replies.delete(key);
      replies.set(key, reply);
      return reply;
    },
    keep: async (name, reply) => {
      const key = keyOf(name);
      evict(key);
      replies.set(key, reply);
      bytes += sizeOf(reply);
      for (const oldest of replies.keys()) {
        if (bytes <= limitBytes) break;
        evict(oldest);
      }
    },
  };
}

/** Code is ASCII by far the most; two bytes for the texts of its exports are a guess on the safe side. */
function sizeOf({ code }: CompiledReply): number {
  return code.length * 2;
}
