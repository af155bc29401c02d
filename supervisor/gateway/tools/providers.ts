import { setTimeout as pause } from 'node:timers/promises';
import type { AcquisitionAnswer, OpenedProviders } from '../../service/embedding/types.ts';

/** What the runs of a tool are lent, and whether it may be called (gateway.md §10). */
export interface ToolProviders {
  /**
   * Null: its runs open everything themselves. `unavailable`: a server is gone, and opened again; or the tool is
   * fenced.
   */
  current(): OpenedProviders | null | 'unavailable';
  isFenced(): boolean;
  /** Until the gateway is started again. */
  fence(): void;
  /** False where the end of one could not be proved. */
  close(): Promise<boolean>;
}

/** How providers that were lost are had again. */
export interface Reacquiring {
  readonly acquire: () => Promise<AcquisitionAnswer>;
  /** Whether they are what was pinned. */
  readonly isPinned: (identities: OpenedProviders['identities']) => boolean;
  /** Called with each change. */
  readonly onChange: (state: 'ready' | 'unavailable' | 'fenced') => void;
  /** Waits; rejects when the signal is raised. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const MOST_FAILURES = 10;
const LONGEST_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 1000;

const unrefd = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  pause(milliseconds, null, { signal, ref: false });

/**
 * Lends what was opened; when that is lost opens it again, after 1, 2, 4 … 30 s. What is something else then, ten
 * failures in a row, or an end that cannot be proved fence the tool.
 */
export function holdProviders(
  first: OpenedProviders | null,
  { acquire, isPinned, onChange, wait = unrefd }: Reacquiring,
): ToolProviders {
  const closing = new AbortController();
  let current = first;
  let isFenced = false;

  const fence = (): void => {
    if (!isFenced) onChange('fenced');
    isFenced = true;
  };

  async function opened(): Promise<OpenedProviders | null> {
    for (let failures = 0; failures < MOST_FAILURES; failures += 1) {
      await wait(Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS), closing.signal);
      const answer = await acquire();
      if (answer.kind === 'refused') continue;
      if (!closing.signal.aborted && isPinned(answer.providers.identities)) return answer.providers;
      await answer.providers.close();
      return null;
    }
    return null;
  }

  async function keep(providers: OpenedProviders): Promise<void> {
    await providers.lost;
    if (closing.signal.aborted) return;
    current = null;
    onChange('unavailable');
    const next = (await providers.close()) ? await opened() : null;
    if (closing.signal.aborted) return;
    if (next === null) {
      fence();
      return;
    }
    current = next;
    onChange('ready');
    renewLater(next);
  }

  /** A gateway that ends waits for nothing any more. */
  const renewLater = (providers: OpenedProviders): void => void keep(providers).catch(() => undefined);

  if (first !== null) renewLater(first);
  return {
    current: () => (isFenced ? 'unavailable' : first === null ? null : (current ?? 'unavailable')),
    isFenced: () => isFenced,
    fence,
    close: async () => {
      closing.abort();
      return (await current?.close()) ?? true;
    },
  };
}
