import { endingOf as lastingEnd } from '../../contract/ending.ts';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { ENDINGS, REFUSED } from '../wire/messages.ts';
import type { HostSlots } from './branch-isolates.ts';
import { connectHost } from './host-connection.ts';
import { type HostIsolate, hostIsolate, type OwnedIsolate } from './host-isolate.ts';
import { type FirstIsolate, type HostExit, startHostProcess } from './host-process.ts';
import { hostDeath } from './host-death.ts';
import { hostLimits } from './host-limits.ts';
import type { Isolate } from './interface.ts';
import type { HostState, Loss } from './losses.ts';
import { isAddressSpaceShort } from './machine-limits.ts';
import type { SandboxOptions } from './options.ts';
import { isStopped, stopWatch } from './stop-watch.ts';
import type { HostEnding, KillReason, PoolListener } from './pool-event.ts';

interface Held {
  readonly isolate: OwnedIsolate;
  /** Name of the isolate for whose evaluation it runs a parallel branch; its own otherwise. */
  readonly root: string;
}

/** One host process and the isolates in it: the owner of their lives, and of the process's death. */
export interface Host {
  /** Isolates that are open or being opened. */
  readonly isolates: () => number;
  /** Whether it may take another. */
  readonly hasRoom: () => boolean;
  /** False once it has seen a fault or has ended: it gets no further isolate. */
  readonly isSound: () => boolean;
  /** Asks for an isolate, of which requests may be made at once: they come after it. */
  open(environment: EnvironmentKind, heapWords: number): Opening;
  /** Kills the process, for this reason or because nobody needs it, and waits for its death. */
  end(reason?: KillReason): Promise<void>;
  /** Looks whether somebody stopped it while it owes an answer: then it is killed. Called again and again. */
  look(): void;
  readonly pid: number | undefined;
}

/** An isolate that is being made. One that could not be made answers every request with its loss. */
export interface Opening {
  readonly isolate: Isolate;
  /** Whether it could be made; never rejects. */
  readonly made: Promise<boolean>;
}

export interface HostEvents {
  /** It is no longer sound, or holds an isolate less. */
  readonly onChange: (host: Host) => void;
  /** What is told of it; its number is this one. */
  readonly tell: PoolListener;
  readonly number: number;
  /** Whether the guest image is not the one that was built. Asked when a host crashes, or made nothing. */
  readonly isImageBroken: () => Promise<boolean>;
}

/** A process and its first isolate are there within a second on a busy machine. */
const LONGEST_START_MS = 10_000;
/** One that has made isolates is only slow: its neighbours are not to pay for that soon. */
const LONGEST_MAKING_MS = 60_000;
/** Who a process died for: one evaluation, with its branches; one that cannot be told; none of them. */
type Blame =
  { readonly kind: 'root'; readonly root: string } | { readonly kind: 'unknown' } | { readonly kind: 'none' };

/**
 * Starts a host process. Never throws: a host that cannot start is one that has died, and its isolates answer so.
 */
export function startHost(options: SandboxOptions, first: FirstIsolate, events: HostEvents): Host {
  const child = startHostProcess(options, first, () => kill('stderr_flood', { kind: 'unknown' }));
  const about = { host: events.number, pid: child.pid ?? null };
  const held = new Map<string, Held>();
  const noteLook = stopWatch();
  let asked = 0;
  /** Isolates that it was asked for and has not made yet. */
  let making = 0;
  /** Isolates that are dead and still hold their memory. */
  let buried = 0;
  /** Places for isolates of branches. */
  let reserved = 0;
  let sound = true;
  /** Whether it has made an isolate. */
  let hasMade = false;
  /** Set by the first reason for its death. */
  let fate: HostState = 'alive';
  let killed: KillReason | null = null;
  let saysNoImage = false;
  /** Whether it could make nothing because there is nothing to make it from, by the image itself. */
  let lacksImage = false;
  let blame: Blame = { kind: 'none' };

  events.tell({ event: 'host_started', ...about });
  const died: Promise<HostExit> = child.exited.then(async (exit) => {
    sound = false;
    await child.stderrEnded;
    // V8 aborts over an image that it cannot read, as it does when it finds no memory.
    lacksImage = (saysNoImage || (killed === null && (isCrash(exit) || !hasMade))) && (await events.isImageBroken());
    events.tell({
      event: 'host_ended',
      ...about,
      how: howEnded(exit),
      ...exit,
      isolates: held.size,
      stderr: child.stderr(),
    });
    settleAll(exit);
    events.onChange(host);
    return exit;
  });

  const death = lastingEnd(died);

  // A host that closes its pipe has nothing left to live for; one that is dying is not changed by this.
  child.pipe.once('close', () => child.kill());

  const connection = connectHost(child.pipe, {
    onOpened(name, answer) {
      if (answer.type === 'opened') {
        hasMade = true;
        held.get(name)?.isolate.opened();
      } else {
        saysNoImage = answer.type === 'ended' && answer.ending === ENDINGS.noImage;
        kill('opens_nothing', { kind: 'unknown' });
      }
    },
    admitsCall: (name) => held.get(name)?.isolate.mayCall() === true,
    answerCall: async (call) => held.get(call.isolate)?.isolate.answerCall(call) ?? REFUSED,
    onViolation: () => kill('protocol_violation', { kind: 'unknown' }),
  });

  function kill(reason: KillReason, whose: Blame): void {
    if (fate === 'alive') {
      fate = reason === 'protocol_violation' ? reason : 'killed';
      blame = whose;
      killed ??= reason;
      if (reason !== 'unneeded') events.tell({ event: 'host_killed', ...about, reason });
    }
    sound = false;
    child.kill();
  }

  function howEnded(exit: HostExit): HostEnding {
    if (killed !== null) return killed;
    if (isCrash(exit)) return 'crashed';
    return exit.signal === null ? 'exited' : 'signalled';
  }

  function isCrash(exit: HostExit): boolean {
    return exit.signal !== null && hostDeath(exit, child.stderr()) !== 'outside';
  }

  /**
   * The process is dead: every isolate in it is lost. An evaluation that ran alone, with its branches, has crashed it.
   */
  function settleAll(exit: HostExit): void {
    const running = new Set([...held.values()].filter(({ isolate }) => isolate.isRunning()).map(({ root }) => root));
    const fell = fate === 'alive' && isCrash(exit) && !lacksImage;
    const crashed = fell && !lacksAddresses();
    const isSure = hostDeath(exit, child.stderr()) === 'own';
    const signal = killed === 'stopped' ? 'SIGSTOP' : killed === null ? exit.signal : null;
    if (fate === 'alive') {
      const endedItself = exit.signal === null || fell;
      fate = endedItself ? 'exited' : 'killed';
      if (endedItself) blame = { kind: 'unknown' };
    }
    for (const { isolate, root } of held.values()) {
      const later: Loss = {
        status: 'host_lost',
        cause: lacksImage ? 'image' : diedForAnother(root, running) ? 'neighbour' : fate,
        ...(signal === null ? {} : { signal }),
      };
      const isCause = crashed && running.size === 1 && isolate.isRunning();
      const loss: Loss = isSure ? { status: 'memory_exceeded' } : { ...later, cause: 'crashed' };
      isolate.died(isCause ? loss : later, later);
    }
    held.clear();
  }

  function lacksAddresses(): boolean {
    return isAddressSpaceShort(hostLimits(options.isolatesPerHost, options.platform ?? process.platform).dataKilobytes);
  }

  /** Whether another evaluation is, or may be, why the process died. `running`: the roots of those that ran. */
  function diedForAnother(root: string, running: ReadonlySet<string>): boolean {
    switch (blame.kind) {
      case 'root':
        return blame.root !== root;
      case 'unknown':
        return [...running].some((other) => other !== root);
      case 'none':
        return false;
    }
  }

  /** Isolates that it may still take. Of what is reserved for branches some are there already. */
  function room(): number {
    let roots = 0;
    for (const [name, { root }] of held) if (root === name) roots += 1;
    return options.isolatesPerHost - buried - Math.max(held.size, roots + reserved);
  }

  const places: HostSlots = {
    reserve(wanted) {
      const given = Math.max(0, Math.min(wanted, room()));
      reserved += given;
      return given;
    },
    release(count) {
      reserved -= count;
    },
  };

  async function makeIsolate(name: string, environment: EnvironmentKind, heapWords: number): Promise<boolean> {
    const late = setTimeout(kill, hasMade ? LONGEST_MAKING_MS : LONGEST_START_MS, 'opens_nothing', { kind: 'unknown' });
    making += 1;
    const opened = connection.ask({ type: 'open', isolate: name, environment, heapWords });
    const isOpened = await death.race(opened.then(({ type }) => type === 'opened'));
    making -= 1;
    clearTimeout(late);
    if (isOpened === true) return true;
    await died;
    if (killed !== 'unneeded')
      events.tell({ event: 'open_failed', ...about, environment, reason: lacksImage ? 'image' : 'host' });
    return false;
  }

  /** `around`: the root of the branch's caller; null outside of branches. */
  function openIsolate(
    environment: EnvironmentKind,
    heapWords: number,
    around: string | null,
  ): Opening & { readonly isolate: HostIsolate } {
    const name = String(++asked);
    const root = around ?? name;
    const made = makeIsolate(name, environment, heapWords);
    const isolate = hostIsolate(
      { name, made },
      {
        connection,
        died,
        untilDeath: death.race,
        fate: () => fate,
        kill: (why) => kill(why === 'killed' ? 'does_not_stop' : why, { kind: 'root', root }),
        retire() {
          sound = false;
          events.onChange(host);
        },
        forget() {
          if (held.delete(name)) events.onChange(host);
        },
        bury() {
          buried += 1;
          if (held.delete(name)) events.onChange(host);
        },
        places,
        openBranch: () => openIsolate(environment, heapWords, root).isolate,
      },
    );
    held.set(name, { isolate, root });
    return { isolate, made };
  }

  const host: Host = {
    pid: child.pid,
    isolates: () => held.size,
    hasRoom: () => room() > 0,
    isSound: () => sound,

    open: (environment, heapWords) => openIsolate(environment, heapWords, null),

    look() {
      const owesAnswer =
        fate === 'alive' && (making > 0 || [...held.values()].some(({ isolate }) => isolate.isRunning()));
      // Looked at only where somebody waits: it reads a file.
      if (noteLook({ owesAnswer, isStopped: owesAnswer && isStopped(child.pid) })) kill('stopped', { kind: 'none' });
    },

    async end(reason = 'unneeded') {
      kill(reason, { kind: 'none' });
      await died;
    },
  };
  return host;
}
