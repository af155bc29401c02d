/**
 * Resident bytes of this process. Where the system does not say, as to a process that has no descriptor left to ask
 * with, it is what it said last: who looks at the memory is not to end for that.
 */
export function residentBytesOf(read: () => number = () => process.memoryUsage.rss()): () => number {
  let last = 0;
  return () => {
    try {
      last = read();
    } catch {
      // The next look asks again.
    }
    return last;
  };
}
