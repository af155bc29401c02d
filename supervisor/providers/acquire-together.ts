import type { Acquire, Occurrence } from './source/installed-provider.ts';

type Acquired = Awaited<ReturnType<Acquire>>;
/** Why an occurrence was not opened. */
export type AcquisitionRefusal = Extract<Acquired, { readonly ok: false }>['refusal'];

/** The same occurrences, neighbours together where all of them may be opened at the same time (providers.md §16.5). */
export function openedTogether(occurrences: readonly Occurrence[]): readonly (readonly Occurrence[])[] {
  const batches: Occurrence[][] = [];
  for (const occurrence of occurrences) {
    const last = batches.at(-1);
    const joins =
      occurrence.provider.opensBeside &&
      last?.[0]?.provider.opensBeside === true &&
      last[0].provider.requires === occurrence.provider.requires;
    if (joins) last?.push(occurrence);
    else batches.push([occurrence]);
  }
  return batches;
}

/**
 * The result of each, in their order. With the first of them that is refused, in their order, the others are stopped; a
 * refusal that only follows from that is reported as `stopped`, and follows it.
 */
export async function acquireTogether(
  batch: readonly Occurrence[],
  acquire: (occurrence: Occurrence, signal: AbortSignal) => ReturnType<Acquire>,
  signal: AbortSignal,
): Promise<readonly { readonly occurrence: Occurrence; readonly acquired: Acquired }[]> {
  const refused = new AbortController();
  const stop = batch.length === 1 ? signal : AbortSignal.any([signal, refused.signal]);
  const started = batch.map((occurrence) => ({ occurrence, acquiring: acquire(occurrence, stop) }));
  const ended: { readonly occurrence: Occurrence; readonly acquired: Acquired }[] = [];
  for (const { occurrence, acquiring } of started) {
    const acquired = await acquiring;
    if (!acquired.ok) refused.abort();
    ended.push({ occurrence, acquired });
  }
  return ended;
}
