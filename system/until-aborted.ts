/**
 * What is awaited, or `instead` once the signal is raised; raised already: `instead` at once. Leaves nothing at the
 * signal, which may live as long as the process and would keep whatever was waited for.
 */
export async function waitUntilAborted<T, const Word>(
  awaited: Promise<T>,
  signal: AbortSignal,
  instead: Word,
): Promise<T | Word> {
  if (signal.aborted) return instead;
  const { promise, resolve } = Promise.withResolvers<Word>();
  const stop = (): void => resolve(instead);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
