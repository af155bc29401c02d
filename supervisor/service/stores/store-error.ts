/** What can go wrong in a store, as the code of a StoreError. */
export type StoreFault =
  /** The store cannot be reached or written to. */
  | 'unavailable'
  /** The key is not one: it was made by mistake. */
  | 'key_invalid'
  /** What is there is not what was committed. */
  | 'damaged'
  /** The name is taken, or another process is about to take it. */
  | 'exists';

/**
 * Why a store did not do what it was asked: a closed word, never a path, a key or an answer of a server. A file of its
 * own in the built program, so that both entry points of the package, and all of its parts, throw and know the same
 * class.
 */
export class StoreError extends Error {
  readonly fault: StoreFault;

  constructor(fault: StoreFault) {
    super(`artifact store: ${fault}`);
    this.name = 'StoreError';
    this.fault = fault;
  }
}
