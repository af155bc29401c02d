import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { OPENED, REFUSED } from '../wire/host-api.ts';
import { connectHost } from './host-connection.ts';
import { type HostIsolate, hostIsolate, type OwnedIsolate } from './host-isolate.ts';
import { type FirstIsolate, type HostExit, startHostProcess } from './host-process.ts';
import type { Isolate } from './interface.ts';
import type { Fate, Kill, Loss } from './losses.ts';
import type { SandboxOptions } from './options.ts';

interface Held {
  readonly isolate: OwnedIsolate;
  /** Name of the isolate for whose evaluation it runs a parallel branch; its own otherwise. */
  readonly root: string;
}

/** One host process and the isolates in it: the owner of their lives, and of the process's death. */
export interface Host {
  /** Isolates that are open or being opened. */
  readonly isolates: () => number;
  /** False once it has seen a fault or has ended: it gets no further isolate. */
  readonly isSound: () => boolean;
  /** Asks for an isolate, of which requests may be made at once: they come after it. */
  open(environment: EnvironmentKind, heapWords: number): Opening;
  /** Kills the process and waits for its death. */
  end(): Promise<void>;
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
}

/** A process and its first isolate are there within a second on a busy machine. */
const LONGEST_START_MS = 10_000;
/** One that has made isolates is only slow: its neighbours are not to pay for that soon. */
const LONGEST_MAKING_MS = 60_000;
/** Signals by which a process dies of its own: V8 aborts, traps and faults when it finds no memory or no stack. */
const CRASH_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);

/**
 * Starts a host process. Never throws: a host that cannot start is one that has died, and its isolates answer so.
 */
export function startHost(options: SandboxOptions, first: FirstIsolate, events: HostEvents): Host {
  const child = startHostProcess(options, first);
  const held = new Map<string, Held>();
  let asked = 0;
  let sound = true;
  /** Whether it has made an isolate. */
  let hasMade = false;
  /** Set by the first reason for its death. */
  let fate: Fate = 'alive';

  const died: Promise<HostExit> = child.exited.then((exit) => {
    sound = false;
    settleAll(exit);
    events.onChange(host);
    return exit;
  });

  // A host that closes its pipe has nothing left to live for; one that is dying is not changed by this.
  child.pipe.once('close', () => child.kill());

  const remote = connectHost(child.pipe, {
    onOpened(name, answer) {
      if (answer !== OPENED) return;
      hasMade = true;
      held.get(name)?.isolate.opened();
    },
    admitsCall: (name) => held.get(name)?.isolate.mayCall() === true,
    answerCall: async (name, tool, argumentsText) => held.get(name)?.isolate.answerCall(tool, argumentsText) ?? REFUSED,
    onViolation: () => kill('protocol_violation'),
  });

  function kill(why: Kill): void {
    if (fate === 'alive') fate = why;
    sound = false;
    child.kill();
  }

  /** The process is dead: every isolate in it is lost. An evaluation that ran alone, with its branches, has crashed it. */
  function settleAll(exit: HostExit): void {
    const running = new Set([...held.values()].filter(({ isolate }) => isolate.isRunning()).map(({ root }) => root));
    const crashed = fate === 'alive' && exit.signal !== null && CRASH_SIGNALS.has(exit.signal);
    if (fate === 'alive') fate = exit.signal === null || crashed ? 'exited' : 'killed';
    const lost: Loss = { status: 'host_lost', cause: fate };
    for (const { isolate } of held.values()) {
      isolate.died(crashed && running.size === 1 && isolate.isRunning() ? { status: 'memory_exceeded' } : lost, lost);
    }
    held.clear();
  }

  async function makeIsolate(name: string, environment: EnvironmentKind, heapWords: number): Promise<boolean> {
    const late = setTimeout(kill, hasMade ? LONGEST_MAKING_MS : LONGEST_START_MS, 'killed');
    const answer = await Promise.race([remote.open(name, environment, String(heapWords)), died]);
    clearTimeout(late);
    if (answer === OPENED) return true;
    if (typeof answer === 'string') kill('killed');
    await died;
    return false;
  }

  /** `around`: the root of the branch's caller; null outside of branches. */
  function openIsolate(environment: EnvironmentKind, heapWords: number, around: string | null): Opening & { readonly isolate: HostIsolate } {
    const name = String(++asked);
    const root = around ?? name;
    const made = makeIsolate(name, environment, heapWords);
    const isolate = hostIsolate({ name, made }, {
      remote,
      died,
      fate: () => fate,
      kill,
      retire() {
        sound = false;
        events.onChange(host);
      },
      forget() {
        if (held.delete(name)) events.onChange(host);
      },
      room: () => options.isolatesPerHost - held.size,
      openBranch: () => openIsolate(environment, heapWords, root).isolate,
    });
    held.set(name, { isolate, root });
    return { isolate, made };
  }

  const host: Host = {
    pid: child.pid,
    isolates: () => held.size,
    isSound: () => sound,

    open: (environment, heapWords) => openIsolate(environment, heapWords, null),

    async end() {
      if (fate === 'alive') kill('killed');
      await died;
    },
  };
  return host;
}
