/** Tenants whose threads are kept while none of their runs uses them: their connections and loaded libraries serve the next. */
export const IDLE_TENANTS = 16;

/** Threads in use. */
export interface HeldThreads<T> {
  readonly threads: T;
  /** Once is enough; further calls do nothing. */
  readonly release: () => void;
}

/** Threads by tenant: what one sends and knows is never in a thread of another. */
export interface TenantThreads<T> {
  take(tenant: string): Promise<HeldThreads<T>>;
  /** Ends all of them, also those that are in use. */
  close(): Promise<void>;
}

interface Member<T> {
  readonly threads: Promise<T>;
  users: number;
}

/** Of `idleMost` tenants they are kept when nobody uses them; beyond those the threads of who used theirs longest ago end. */
export function tenantThreads<T extends { close(): Promise<void> }>(open: () => Promise<T>, idleMost: number = IDLE_TENANTS): TenantThreads<T> {
  /** The one that was used longest ago first. */
  const members = new Map<string, Member<T>>();
  const end = async ({ threads }: Member<T>): Promise<void> => (await threads).close();

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

  return {
    take: async (tenant) => {
      const member = members.get(tenant) ?? { threads: open(), users: 0 };
      member.users += 1;
      touch(tenant, member);
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        member.users -= 1;
        if (members.get(tenant) !== member) return;
        touch(tenant, member);
        endIdle();
      };
      return { threads: await member.threads, release };
    },
    close: async () => {
      const all = [...members.values()];
      members.clear();
      await Promise.all(all.map(end));
    },
  };
}
