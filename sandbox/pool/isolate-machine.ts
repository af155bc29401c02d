import type { HostState, Kill, Loss, Remedy } from './losses.ts';
import { LONGEST_GRACE_MS } from './stop-grace.ts';

/**
 * The life of one isolate as the pool knows it, as a pure machine: an event and a state make the next state and what is
 * to be done. isolate.ts carries it out.
 */
export interface IsolateState {
  /** `stopping`: it was asked to end. `gone`: none of it runs any more, or is of any use. */
  readonly phase: 'idle' | 'running' | 'stopping' | 'gone';
  /** The host says that it has made it. */
  readonly isMade: boolean;
  /** It has made a capability call that is not answered yet. */
  readonly isCalling: boolean;
  /** What every later request comes to. */
  readonly loss: Loss;
}

export type IsolateEvent =
  | { readonly event: 'made' }
  /** A request is to be made; `isCancelled`: its caller no longer wants it. */
  | { readonly event: 'ask'; readonly isCancelled: boolean }
  /** The guest replied to it. */
  | { readonly event: 'replied' }
  /** The request came to this. `process`: what had become of the process by then. */
  | { readonly event: 'lost'; readonly loss: Loss; readonly remedy: Remedy; readonly process: HostState }
  /** The program made a capability call that `mayCall` allowed, or has its answer. */
  | { readonly event: 'call' }
  | { readonly event: 'called' }
  /** Anyone who has it needs it no longer. */
  | { readonly event: 'dispose' }
  /** It is to end for a mistake on this side. */
  | { readonly event: 'stop' }
  /** The host has let go of it, or died meanwhile. */
  | { readonly event: 'released' }
  /** The process is dead: a request that runs comes to `loss`, every later one to `later`. */
  | { readonly event: 'died'; readonly loss: Loss; readonly later: Loss };

export type IsolateAction =
  /** Ends the request that runs. */
  | { readonly action: 'settle'; readonly loss: Loss }
  /** Asks the host to end it, and ends the process when that takes longer than this. */
  | { readonly action: 'stop'; readonly graceMs: number }
  /** Ends its process for what it did. */
  | { readonly action: 'kill'; readonly why: Kill }
  /** Its process gets no further isolate. */
  | { readonly action: 'retire' }
  /** Its place in the process is free. */
  | { readonly action: 'forget' }
  /** Its place is free, but not its memory. */
  | { readonly action: 'bury' };

export interface IsolateStep {
  readonly state: IsolateState;
  readonly actions: readonly IsolateAction[];
}

/**
 * A stopped isolate answers within this, of time that its process had; one that does not is ended with its process
 * (design.md §1.3).
 */
const STOP_GRACE_MS = 500;
/** One that runs nothing cannot refuse to stop: only a busy machine lets it wait. */
const IDLE_GRACE_MS = LONGEST_GRACE_MS;

export const NEW_ISOLATE: IsolateState = {
  phase: 'idle',
  isMade: false,
  isCalling: false,
  loss: { status: 'host_lost', cause: 'exited' },
};

const CANCELLED: Loss = { status: 'cancelled' };

/** Whether its host may carry a capability call of it now. */
export function mayCall({ phase, isMade, isCalling }: IsolateState): boolean {
  return isMade && !isCalling && (phase === 'running' || phase === 'stopping');
}

/** What an event makes of an isolate. Throws for a request while another runs: a mistake of the caller. */
export function stepIsolate(state: IsolateState, event: IsolateEvent): IsolateStep {
  switch (event.event) {
    case 'made':
      return only({ ...state, isMade: true });
    case 'ask':
      return ask(state, event.isCancelled);
    case 'replied':
      return only(state.phase === 'running' ? { ...state, phase: 'idle' } : state);
    case 'lost':
      return lose(state, event);
    case 'call':
      return only({ ...state, isCalling: true });
    case 'called':
      return only({ ...state, isCalling: false });
    case 'dispose':
      return state.phase === 'gone'
        ? only(state)
        : stop({ ...state, loss: CANCELLED }, settleIfRunning(state, CANCELLED));
    case 'stop':
      return stop(state);
    case 'released':
      return state.phase === 'gone'
        ? only(state)
        : { state: { ...state, phase: 'gone' }, actions: [{ action: 'forget' }] };
    case 'died':
      return { state: { ...state, phase: 'gone', loss: event.later }, actions: settleIfRunning(state, event.loss) };
  }
}

function only(state: IsolateState): IsolateStep {
  return { state, actions: [] };
}

function ask(state: IsolateState, isCancelled: boolean): IsolateStep {
  if (state.phase === 'running') throw new Error('an isolate takes one request at a time');
  if (state.phase !== 'idle') return only(state);
  return isCancelled ? stop({ ...state, loss: CANCELLED }) : only({ ...state, phase: 'running' });
}

function settleIfRunning({ phase }: IsolateState, loss: Loss): readonly IsolateAction[] {
  return phase === 'running' ? [{ action: 'settle', loss }] : [];
}

/** Stops it after these actions, unless that has started. */
function stop(state: IsolateState, before: readonly IsolateAction[] = []): IsolateStep {
  if (state.phase === 'stopping' || state.phase === 'gone') return { state, actions: before };
  const graceMs = state.phase === 'idle' ? IDLE_GRACE_MS : STOP_GRACE_MS;
  return { state: { ...state, phase: 'stopping' }, actions: [...before, { action: 'stop', graceMs }] };
}

/** Ends it for good, with its process if that is the remedy. */
function lose(before: IsolateState, event: Extract<IsolateEvent, { readonly event: 'lost' }>): IsolateStep {
  const { loss, remedy, process } = event;
  const isCancelled = loss.status === 'cancelled';
  const kill = remedy === 'killed' || remedy === 'protocol_violation' ? remedy : null;
  const hostState = process === 'alive' && kill !== null ? kill : process;
  const state: IsolateState = {
    ...before,
    loss: isCancelled ? loss : { status: 'host_lost', cause: hostState === 'alive' ? 'killed' : hostState },
  };
  const first: readonly IsolateAction[] =
    kill !== null ? [{ action: 'kill', why: kill }] : isCancelled ? [] : [{ action: 'retire' }];
  // What the process takes with it is reported by its death.
  if (hostState !== 'alive' || state.phase === 'gone') return { state, actions: first };
  if (remedy !== 'drains') return stop(state, first);
  return { state: { ...state, phase: 'gone' }, actions: [...first, { action: 'bury' }] };
}
