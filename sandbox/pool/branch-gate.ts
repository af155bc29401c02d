import type { RequestOptions } from './interface.ts';
import type { Turn } from './turns.ts';

/** How the parallel branches of a request come to a processor: in turns, as all requests do. */
export interface BranchGate {
  /** Waits for the branches while another has the turn of who asks for them. */
  without<T>(wait: () => Promise<T>): Promise<T>;
  /** A turn of one branch, which waits for so long at most. */
  take(waitMs: number, ended: AbortSignal): Promise<Turn>;
}

/** The options of a request that has a turn. */
export interface GatedOptions extends RequestOptions {
  readonly branches?: BranchGate;
}
