import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';

/** Closes one acquired provider; rejects when it could not be released cleanly. */
export type Closer = () => Promise<void>;

/**
 * Closers in reverse order of their commitment, within one budget for all: one that hangs or throws keeps no other from
 * being called (runtime.md §10, §14). A second call answers the same.
 */
export function releaseOnce(closers: readonly Closer[], budgetMs: number): () => Promise<Diagnostic | null> {
  let released: Promise<Diagnostic | null> | null = null;
  return () => {
    released ??= release(closers.toReversed(), budgetMs);
    return released;
  };
}

async function release(closers: readonly Closer[], budgetMs: number): Promise<Diagnostic | null> {
  if (closers.length === 0) return null;
  let timer: NodeJS.Timeout | undefined;
  const spent = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), budgetMs);
  });
  let isLate = false;
  let hasFailed = false;
  for (const close of closers) {
    // The budget spent, those that are left are still reported; nobody waits for them.
    const end = await Promise.race([closeAll(close), spent]);
    isLate ||= end === 'late';
    hasFailed ||= end === 'failed';
  }
  clearTimeout(timer);
  if (isLate) return diagnostic('provider_cleanup_timeout');
  return hasFailed ? diagnostic('provider_cleanup_failed') : null;
}

async function closeAll(close: Closer): Promise<'closed' | 'failed'> {
  try {
    await close();
    return 'closed';
  } catch {
    return 'failed';
  }
}
