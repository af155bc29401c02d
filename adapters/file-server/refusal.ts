/** Reported to the caller, without a path of this machine. */
export class FileRefusal extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  ELOOP: 'that is no regular file',
  EISDIR: 'that is no regular file',
  ENXIO: 'that is no regular file',
  EACCES: 'the file may not be opened',
  EPERM: 'the file may not be opened',
  EROFS: 'the file may not be opened',
  ENOSPC: 'there is no room for the file',
  EDQUOT: 'there is no room for the file',
  ENAMETOOLONG: 'the path is too long',
};

/** Does a work; what the system reports of it, which names paths of this machine, becomes a refusal. */
export function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error) && !isStale(error)) throw error;
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
    throw new FileRefusal(REASONS[code] ?? 'the file cannot be opened');
  }
}

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESTALE';
}
