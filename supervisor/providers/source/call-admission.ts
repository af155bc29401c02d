/**
 * Who may ask a provider now, over all runs of one process (providers.md §14): one object, which every face that serves
 * several runs shares. A command that serves one needs none.
 */
export interface CallAdmission {
  /**
   * Waits for a place, as long as its turn takes: lanes in turn, calls of one lane in their order. Never rejects.
   * `signal` is raised when nobody waits any more, at the call's deadline say; what was raised before the answer wins.
   */
  enter(lane: string, signal: AbortSignal): Promise<Entered>;
  /** False for a lane that was fenced. */
  serves(lane: string): boolean;
}

export type Entered =
  | CallPlace
  /** As many wait as may. */
  | { readonly outcome: 'capacity_exhausted' }
  /** The lane was fenced, or nothing begins any more. */
  | { readonly outcome: 'admission_unavailable' }
  | { readonly outcome: 'gone' };

/** A place in hand, held until its call is proved to be over. */
export interface CallPlace {
  readonly outcome: 'entered';
  /** The call is over; does nothing a second time. */
  readonly leave: () => void;
  /** Nobody can say whether it is: the place is not given to anybody else, and its lane is fenced. */
  readonly lose: () => void;
}
