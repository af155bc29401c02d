import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FolderGrant } from './granted-files.ts';
import { PinnedFolder } from './pinned-folder.ts';

export const USAGE = 'usage: svc-fs-mcp --root DIRECTORY [--include PATTERN]... [--max-write-bytes COUNT]';

/** What a server was started for, or what is wrong about it. Nothing is written without `--max-write-bytes`. */
export function parseGrantArguments(argv: readonly string[]): FolderGrant | string {
  const input = parsed(argv);
  if (typeof input === 'string') return input;
  const { root, include = [], 'max-write-bytes': most } = input;
  if (root === undefined) return '--root is missing';
  if (root === '') return '--root is empty';
  if (most !== undefined && !/^[1-9]\d{0,8}$/.test(most)) return '--max-write-bytes takes a count of bytes, at least 1';
  try {
    // Links in the operator's own path are followed, once.
    return {
      root: new PinnedFolder(realpathSync(root)),
      include,
      maxWriteBytes: most === undefined ? null : Number(most),
    };
  } catch {
    return '--root is no directory that can be read';
  }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        root: { type: 'string' },
        include: { type: 'string', multiple: true },
        'max-write-bytes': { type: 'string' },
      },
      strict: true,
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : 'the arguments cannot be read';
  }
}
