import type { HostDeath } from './host-death.ts';
import type { HostState, Loss } from './losses.ts';
import type { HostEnding, KillReason } from './pool-event.ts';

/**
 * The life of one host process, as a pure machine: which isolates it holds, whether it may have more, and, once it is
 * dead, what each of them comes to. host.ts carries it out.
 */
export interface HostLife {
  /**
   * Isolates that are open or being opened, by name, each with its root: the isolate for whose evaluation it runs a
   * parallel branch, or itself.
   */
  readonly isolates: ReadonlyMap<string, string>;
  /** Isolates that it was asked for and has not made yet. */
  readonly making: number;
  /** Isolates that are dead and still hold their memory. */
  readonly orphaned: number;
  /** Places for isolates of branches. */
  readonly reserved: number;
  /** False once it has seen a fault or has ended: it gets no further isolate. */
  readonly isSound: boolean;
  /** Whether it has made an isolate. */
  readonly hasMade: boolean;
  /** Set by the first reason for its death. */
  readonly state: HostState;
  /** Why this side ended it; null: it did not. */
  readonly killed: KillReason | null;
  readonly saysNoImage: boolean;
  /** Once it is dead: there was nothing to make isolates from, by the image itself. */
  readonly lacksImage: boolean;
  readonly blame: Blame;
}

/** Who a process died for: one evaluation, with its branches; one that is not known; none of them. */
export type Blame =
  | { readonly kind: 'root'; readonly root: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' };

export type HostEvent =
  /** It is asked for an isolate; `root`: null for one that is its own. */
  | { readonly event: 'open'; readonly name: string; readonly root: string | null }
  /** It has made one, or says that it could not. */
  | { readonly event: 'opened' }
  | { readonly event: 'not_opened'; readonly lacksImage: boolean }
  | { readonly event: 'kill'; readonly reason: KillReason; readonly blame: Blame }
  /** An isolate in it has seen a fault. */
  | { readonly event: 'retire' }
  /** An isolate has ended; `keepsMemory`: which it does not give back. */
  | { readonly event: 'forget'; readonly name: string; readonly keepsMemory: boolean }
  /** So many places for branches are taken, or given back. */
  | { readonly event: 'reserve'; readonly count: number }
  /** The process has ended; what is known of it is not all known yet. */
  | { readonly event: 'exited' }
  | ({ readonly event: 'died' } & Death);

/** What is known of the end of a process. */
export interface Death {
  readonly signal: NodeJS.Signals | null;
  readonly by: HostDeath;
  /** Whether it could make nothing because there is nothing to make it from, by the image itself. */
  readonly lacksImage: boolean;
  /** Whether the machine withheld addresses that it was promised. */
  readonly lacksAddresses: boolean;
  /** Isolates that ran. */
  readonly running: ReadonlySet<string>;
}

export type HostAction =
  /** Ends the process; does nothing to one that has ended. */
  | { readonly action: 'kill' }
  | { readonly action: 'report_kill'; readonly reason: Exclude<KillReason, 'unneeded'> }
  /** Its isolates or its soundness are others now. */
  | { readonly action: 'report_change' }
  | { readonly action: 'report_end'; readonly how: HostEnding; readonly isolates: number }
  /** What an isolate comes to with its process: a request that runs in it, and every later one. */
  | { readonly action: 'lose'; readonly name: string; readonly loss: Loss; readonly later: Loss };

export interface HostStep {
  readonly life: HostLife;
  readonly actions: readonly HostAction[];
}

export const NEW_HOST: HostLife = {
  isolates: new Map(),
  making: 0,
  orphaned: 0,
  reserved: 0,
  isSound: true,
  hasMade: false,
  state: 'alive',
  killed: null,
  saysNoImage: false,
  lacksImage: false,
  blame: { kind: 'none' },
};

const UNKNOWN: Blame = { kind: 'unknown' };

/** What an event makes of a host. */
export function stepHost(life: HostLife, event: HostEvent): HostStep {
  switch (event.event) {
    case 'open': {
      const isolates = new Map(life.isolates).set(event.name, event.root ?? event.name);
      return only({ ...life, isolates, making: life.making + 1 });
    }
    case 'opened':
      return only({ ...life, hasMade: true, making: life.making - 1 });
    case 'not_opened': {
      const { lacksImage } = event;
      return kill({ ...life, saysNoImage: lacksImage, making: life.making - 1 }, 'opens_nothing', UNKNOWN);
    }
    case 'kill':
      return kill(life, event.reason, event.blame);
    case 'retire':
      return { life: { ...life, isSound: false }, actions: [{ action: 'report_change' }] };
    case 'forget':
      return unregister(life, event.name, event.keepsMemory);
    case 'reserve':
      return only({ ...life, reserved: life.reserved + event.count });
    case 'exited':
      return only({ ...life, isSound: false });
    case 'died':
      return die(life, event);
  }
}

/** Isolates that it may still take, of so many. Of what is reserved for branches some are there already. */
export function roomOf({ isolates, orphaned, reserved }: HostLife, isolatesPerHost: number): number {
  let roots = 0;
  for (const [name, root] of isolates) if (root === name) roots += 1;
  return isolatesPerHost - orphaned - Math.max(isolates.size, roots + reserved);
}

/** Whether what it is made from may be why it has died: V8 aborts over an image that it cannot read. */
export function mayLackImage(life: HostLife, death: Pick<Death, 'signal' | 'by'>): boolean {
  return life.saysNoImage || (life.killed === null && (isCrash(death) || !life.hasMade));
}

function only(life: HostLife): HostStep {
  return { life, actions: [] };
}

function kill(life: HostLife, reason: KillReason, blame: Blame): HostStep {
  const ended: HostLife = { ...life, isSound: false };
  if (life.state !== 'alive') return { life: ended, actions: [{ action: 'kill' }] };
  const outcome = reason === 'protocol_violation' ? reason : 'killed';
  const report: readonly HostAction[] = reason === 'unneeded' ? [] : [{ action: 'report_kill', reason }];
  return { life: { ...ended, state: outcome, killed: reason, blame }, actions: [...report, { action: 'kill' }] };
}

function unregister(life: HostLife, name: string, keepsMemory: boolean): HostStep {
  const orphaned = life.orphaned + (keepsMemory ? 1 : 0);
  if (!life.isolates.has(name)) return only({ ...life, orphaned });
  const isolates = new Map(life.isolates);
  isolates.delete(name);
  return { life: { ...life, isolates, orphaned }, actions: [{ action: 'report_change' }] };
}

function isCrash({ signal, by }: Pick<Death, 'signal' | 'by'>): boolean {
  return signal !== null && by !== 'outside';
}

function howEnded({ killed }: HostLife, death: Death): HostEnding {
  if (killed !== null) return killed;
  if (isCrash(death)) return 'crashed';
  return death.signal === null ? 'exited' : 'signalled';
}

/**
 * The process is dead: every isolate in it is lost. An evaluation that ran alone, with its branches, has crashed it.
 */
function die(before: HostLife, death: Death): HostStep {
  const { isolates } = before;
  const how: HostAction = { action: 'report_end', how: howEnded(before, death), isolates: isolates.size };
  const life = recordDeath({ ...before, isSound: false, lacksImage: death.lacksImage }, death);
  const roots = new Set([...isolates].filter(([name]) => death.running.has(name)).map(([, root]) => root));
  const hasCrashed = before.state === 'alive' && isCrash(death) && !death.lacksImage && !death.lacksAddresses;
  const losses = [...isolates].map(([name, root]): HostAction => {
    const later = lossOf(life, death, root, roots);
    const isCause = hasCrashed && roots.size === 1 && death.running.has(name);
    const crash: Loss = death.by === 'own' ? { status: 'memory_exceeded' } : { ...later, cause: 'crashed' };
    return { action: 'lose', name, loss: isCause ? crash : later, later };
  });
  return { life: { ...life, isolates: new Map() }, actions: [how, ...losses, { action: 'report_change' }] };
}

/** Of a process that nobody here ended. */
function recordDeath(life: HostLife, death: Death): HostLife {
  if (life.state !== 'alive') return life;
  const hasEndedItself = death.signal === null || (isCrash(death) && !death.lacksImage);
  return hasEndedItself ? { ...life, state: 'exited', blame: UNKNOWN } : { ...life, state: 'killed' };
}

type LostHost = Extract<Loss, { readonly status: 'host_lost' }>;

/** What an isolate comes to that is not the cause. `running`: the roots of those that ran. */
function lossOf(
  { blame, state, killed }: HostLife,
  { lacksImage, signal: input }: Death,
  root: string,
  running: ReadonlySet<string>,
): LostHost {
  const signal = killed === 'stopped' ? 'SIGSTOP' : killed === null ? input : null;
  const own = state === 'alive' ? 'exited' : state;
  return {
    status: 'host_lost',
    cause: lacksImage ? 'image' : isForAnother(blame, root, running) ? 'neighbour' : own,
    ...(signal === null ? {} : { signal }),
  };
}

/** Whether another evaluation is, or may be, why the process died. */
function isForAnother(blame: Blame, root: string, running: ReadonlySet<string>): boolean {
  switch (blame.kind) {
    case 'root':
      return blame.root !== root;
    case 'unknown':
      return [...running].some((other) => other !== root);
    case 'none':
      return false;
  }
}
