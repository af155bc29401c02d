/**
 * Tenants whose threads are kept while none of their runs uses them: their connections and loaded libraries serve the
 * next.
 */
export const IDLE_TENANTS = 16;
/** Milliseconds for which they are: each holds some 20 MB. */
export const IDLE_MS = 60_000;

/** Threads in use. */
export interface AcquiredThreads<T> {
  readonly threads: T;
  /** Once is enough; further calls do nothing. */
  readonly release: () => void;
}

/** Threads of one kind by tenant: what one sends and knows is never in a thread of another. */
export interface TenantThreads<T> {
  /** `open` is called for a tenant that has none. */
  take(tenant: string): Promise<AcquiredThreads<T>>;
  /** Takes them for one use. */
  use<R>(tenant: string, use: (threads: T) => Promise<R>): Promise<R>;
  /** Ends all of them, also those that are in use. */
  close(): Promise<void>;
}

interface Member<T> {
  readonly threads: Promise<T>;
  users: number;
  /** Of the end of threads that nobody uses. */
  timer: NodeJS.Timeout | undefined;
}

/** Every kind of threads in this process. */
const kinds: { close(): Promise<void> }[] = [];
let holders = 0;

/**
 * Holds the threads of this process until what it gives is called: with the last of those who hold them they end, so
 * that a process ends when nobody has anything left to ask.
 */
export function holdProviderThreads(): () => Promise<void> {
  holders += 1;
  let isHeld = true;
  return async () => {
    if (isHeld) holders -= 1;
    isHeld = false;
    if (holders === 0) await Promise.all(kinds.map((kind) => kind.close()));
  };
}

/**
 * Of `idleMost` tenants they are kept for a minute when nobody uses them; beyond those the threads of who used theirs
 * longest ago end at once.
 */
export function tenantThreads<T extends { close(): Promise<void> }>(
  open: () => Promise<T>,
  idleMost: number = IDLE_TENANTS,
): TenantThreads<T> {
  /** The one that was used longest ago first. */
  const members = new Map<string, Member<T>>();
  const end = async ({ threads, timer }: Member<T>): Promise<void> => {
    clearTimeout(timer);
    await (await threads).close();
  };

  function touch(tenant: string, member: Member<T>): void {
    members.delete(tenant);
    members.set(tenant, member);
  }

  function endIdle(): void {
    const idle = [...members].filter(([, { users }]) => users === 0);
    for (const [tenant, member] of idle.slice(0, Math.max(0, idle.length - idleMost))) {
      members.delete(tenant);
      void end(member);
    }
  }

  function endUnused(tenant: string, member: Member<T>): void {
    if (members.get(tenant) === member) members.delete(tenant);
    void end(member);
  }

  async function take(tenant: string): Promise<AcquiredThreads<T>> {
    const member = members.get(tenant) ?? { threads: open(), users: 0, timer: undefined };
    member.users += 1;
    clearTimeout(member.timer);
    touch(tenant, member);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      member.users -= 1;
      if (members.get(tenant) !== member) return;
      touch(tenant, member);
      if (member.users === 0) member.timer = setTimeout(() => endUnused(tenant, member), IDLE_MS).unref();
      endIdle();
    };
    return { threads: await member.threads, release };
  }

  const kind: TenantThreads<T> = {
    take,
    use: async (tenant, use) => {
      const { threads, release } = await take(tenant);
      try {
        return await use(threads);
      } finally {
        release();
      }
    },
    close: async () => {
      const all = [...members.values()];
      members.clear();
      await Promise.all(all.map(end));
    },
  };
  kinds.push(kind);
  return kind;
}
