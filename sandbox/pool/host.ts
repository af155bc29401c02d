import { endingOf as lastingEnd } from '../../system/ending.ts';
import { type Answer, ENDINGS, REFUSED, type Unreadable } from '../wire/messages.ts';
import type { HostSlots } from './branch-isolates.ts';
import { connectHost, type HostConnection } from './host-connection.ts';
import { hostDeath } from './host-death.ts';
import { hostLimits } from './host-limits.ts';
import {
  type Death,
  type HostAction,
  type HostEvent,
  mayLackImage,
  NEW_HOST,
  roomOf,
  stepHost,
} from './host-machine.ts';
import { type FirstIsolate, type HostExit, type HostProcess, startHostProcess } from './host-process.ts';
import type { Isolate } from './interface.ts';
import { type BranchableIsolate, HostedIsolate } from './isolate.ts';
import { isAddressSpaceShort } from './machine-limits.ts';
import type { SandboxOptions } from './options.ts';
import type { KillReason, PoolListener } from './pool-event.ts';
import { readThreadUses, startGrace } from './stop-grace.ts';
import { isStopped, stopWatch } from './stop-watch.ts';

/** An isolate that is being made. One that could not be made answers every request with its loss. */
export interface Opening {
  readonly isolate: Isolate;
  /** Whether it could be made; never rejects. */
  readonly made: Promise<boolean>;
}

export interface HostEvents {
  /** It is no longer sound, or holds an isolate less. */
  readonly onChange: () => void;
  /** What is reported about it; its number is this one. */
  readonly report: PoolListener;
  readonly number: number;
  /** Whether the guest image is not the one that was built. Asked when a host crashes, or made nothing. */
  readonly isImageBroken: () => Promise<boolean>;
}

/** A process and its first isolate are there within a second on a busy machine. */
const LONGEST_START_MS = 10_000;
/** One that has made isolates is only slow: its neighbours are not to pay for that soon. */
const LONGEST_MAKING_MS = 60_000;

/**
 * One host process and the isolates in it: the owner of their lives, and of the process's death, as host-machine.ts
 * decides. A host that cannot start is one that has died, and its isolates answer so.
 */
export class Host {
  readonly pid: number | undefined;
  readonly #options: SandboxOptions;
  readonly #events: HostEvents;
  readonly #child: HostProcess;
  readonly #connection: HostConnection;
  readonly #died: Promise<HostExit>;
  readonly #untilDeath: <Value>(awaited: Promise<Value>) => Promise<unknown>;
  readonly #isolates = new Map<string, HostedIsolate>();
  readonly #noteLook = stopWatch();
  #life = NEW_HOST;
  #requested = 0;

  /** Starts the process. Never throws. */
  constructor(options: SandboxOptions, first: FirstIsolate, events: HostEvents) {
    this.#options = options;
    this.#events = events;
    this.#child = startHostProcess(options, first, () => this.#kill('stderr_flood'));
    this.pid = this.#child.pid;
    events.report({ event: 'host_started', ...this.#about() });
    this.#died = this.#death();
    this.#untilDeath = lastingEnd(this.#died).race;
    // A host that closes its pipe has nothing left to live for; one that is dying is not changed by this.
    this.#child.pipe.once('close', () => this.#child.kill());
    this.#connection = connectHost(this.#child.pipe, {
      onOpened: (name, answer) => this.#noteOpened(name, answer),
      admitsCall: (name) => this.#isolates.get(name)?.mayCall() === true,
      answerCall: async (call) => this.#isolates.get(call.isolate)?.answerCall(call) ?? REFUSED,
      onViolation: () => this.#kill('protocol_violation'),
    });
  }

  /** Isolates that are open or being opened. */
  isolates(): number {
    return this.#life.isolates.size;
  }

  /** Whether it may take another. */
  hasRoom(): boolean {
    return this.#room() > 0;
  }

  /** False once it has seen a fault or has ended: it gets no further isolate. */
  isSound(): boolean {
    return this.#life.isSound;
  }

  /** Asks for an isolate, of which requests may be made at once: they come after it. */
  open(first: FirstIsolate): Opening {
    return this.#open(first, null);
  }

  /** Looks whether somebody stopped it while it owes an answer: then it is killed. Called again and again. */
  look(): void {
    const { state, making } = this.#life;
    const owesAnswer = state === 'alive' && (making > 0 || this.#running().size > 0);
    // Looked at only where somebody waits: it reads a file.
    if (!this.#noteLook({ owesAnswer, isStopped: owesAnswer && isStopped(this.pid) })) return;
    this.#step({ event: 'kill', reason: 'stopped', blame: { kind: 'none' } });
  }

  /** Kills the process, for this reason or because nobody needs it, and waits for its death. */
  async end(reason: KillReason = 'unneeded'): Promise<void> {
    this.#step({ event: 'kill', reason, blame: { kind: 'none' } });
    await this.#died;
  }

  #about(): { readonly host: number; readonly pid: number | null } {
    return { host: this.#events.number, pid: this.pid ?? null };
  }

  #step(event: HostEvent, exit: HostExit = { code: null, signal: null }): void {
    const { life, actions } = stepHost(this.#life, event);
    this.#life = life;
    for (const action of actions) this.#do(action, exit);
  }

  #do(action: HostAction, exit: HostExit): void {
    const { report, onChange } = this.#events;
    switch (action.action) {
      case 'kill':
        return this.#child.kill();
      case 'report_kill':
        return report({ event: 'host_killed', ...this.#about(), reason: action.reason });
      case 'report_change':
        return onChange();
      case 'report_end': {
        const { how, isolates } = action;
        return report({ event: 'host_ended', ...this.#about(), how, ...exit, isolates, stderr: this.#child.stderr() });
      }
      case 'lose':
        this.#isolates.get(action.name)?.died(action.loss, action.later);
        this.#isolates.delete(action.name);
    }
  }

  /** For what any of its isolates may have done. */
  #kill(reason: KillReason): void {
    this.#step({ event: 'kill', reason, blame: { kind: 'unknown' } });
  }

  async #death(): Promise<HostExit> {
    const exit = await this.#child.exited;
    this.#step({ event: 'exited' });
    await this.#child.stderrEnded;
    const { signal } = exit;
    const by = hostDeath(exit, this.#child.stderr());
    const lacksImage = mayLackImage(this.#life, { signal, by }) && (await this.#events.isImageBroken());
    const lacksAddresses = this.#life.state === 'alive' && signal !== null && this.#lacksAddresses();
    const death: Death = { signal, by, lacksImage, lacksAddresses, running: this.#running() };
    this.#step({ event: 'died', ...death }, exit);
    return exit;
  }

  #lacksAddresses(): boolean {
    const { isolatesPerHost, platform = process.platform } = this.#options;
    return isAddressSpaceShort(hostLimits(isolatesPerHost, platform).dataKilobytes);
  }

  /** Names of the isolates that run something. */
  #running(): ReadonlySet<string> {
    return new Set([...this.#isolates].filter(([, isolate]) => isolate.isRunning()).map(([name]) => name));
  }

  #room(): number {
    return roomOf(this.#life, this.#options.isolatesPerHost);
  }

  #noteOpened(name: string, answer: Answer | Unreadable): void {
    if (answer.type === 'opened') {
      this.#step({ event: 'opened' });
      this.#isolates.get(name)?.opened();
    } else {
      const lacksImage = answer.type === 'ended' && answer.ending === ENDINGS.noImage;
      this.#step({ event: 'not_opened', lacksImage });
    }
  }

  readonly #places: HostSlots = {
    reserve: (wanted) => {
      const count = Math.max(0, Math.min(wanted, this.#room()));
      this.#step({ event: 'reserve', count });
      return count;
    },
    release: (count) => this.#step({ event: 'reserve', count: -count }),
  };

  /** `around`: the root of the branch's caller; null outside of branches. */
  #open(wanted: FirstIsolate, around: string | null): Opening & { readonly isolate: BranchableIsolate } {
    this.#requested += 1;
    const name = String(this.#requested);
    const root = around ?? name;
    this.#step({ event: 'open', name, root: around });
    const made = this.#make(name, wanted);
    const end = (keepsMemory: boolean): void => {
      this.#isolates.delete(name);
      this.#step({ event: 'forget', name, keepsMemory });
    };
    const isolate = new HostedIsolate(
      { name, made },
      {
        connection: this.#connection,
        died: this.#died,
        untilDeath: this.#untilDeath,
        state: () => this.#life.state,
        kill: (why) => {
          const reason = why === 'killed' ? 'does_not_stop' : why;
          this.#step({ event: 'kill', reason, blame: { kind: 'root', root } });
        },
        startGrace: (graceMs, onOver) => startGrace(graceMs, onOver, () => readThreadUses(this.pid)),
        drain: () => this.#step({ event: 'retire' }),
        unregister: () => end(false),
        orphan: () => end(true),
        places: this.#places,
        openBranch: () => this.#open(wanted, root).isolate,
      },
    );
    this.#isolates.set(name, isolate);
    return { isolate, made };
  }

  async #make(isolate: string, { environment, heapWords }: FirstIsolate): Promise<boolean> {
    const longestMs = this.#life.hasMade ? LONGEST_MAKING_MS : LONGEST_START_MS;
    const late = setTimeout(() => this.#kill('opens_nothing'), longestMs);
    const opening = this.#connection.ask({ type: 'open', isolate, environment, heapWords });
    const isOpened = await this.#untilDeath(opening.then(({ type }) => type === 'opened'));
    clearTimeout(late);
    if (isOpened === true) return true;
    await this.#died;
    if (this.#life.killed !== 'unneeded') {
      const reason = this.#life.lacksImage ? 'image' : 'host';
      this.#events.report({ event: 'open_failed', ...this.#about(), environment, reason });
    }
    return false;
  }
}
