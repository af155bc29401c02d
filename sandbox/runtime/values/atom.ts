import { branch } from '../branch.ts';

/** Mutable reference changed by `swap!` and `reset!`. */
export class Atom {
  declare value: unknown;
  declare validator: unknown;
  declare meta: unknown;
  /** The parallel branch in which it was made. */
  declare readonly birth: number;

  constructor(value: unknown, validator: unknown, meta: unknown) {
    this.value = value;
    this.validator = validator;
    this.meta = meta;
    this.birth = branch.current;
  }

  get javaName(): string {
    return 'clojure.lang.Atom';
  }
}

export class Volatile {
  declare value: unknown;
  declare readonly birth: number;
  constructor(value: unknown) {
    this.value = value;
    this.birth = branch.current;
  }

  get javaName(): string {
    return 'clojure.lang.Volatile';
  }
}

/** A body that runs once; an exception it raises is kept and raised again. */
export class Delay {
  /** Null once it has run. */
  declare body: (() => unknown) | null;
  declare value: unknown;
  /** The exception kept, or null. */
  declare failure: unknown;
  declare readonly birth: number;

  constructor(body: () => unknown) {
    this.body = body;
    this.value = null;
    this.failure = null;
    this.birth = branch.current;
  }

  get javaName(): string {
    return 'clojure.lang.Delay';
  }
}

/** The mark that ends a reduction. */
export class Reduced {
  declare readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }

  get javaName(): string {
    return 'clojure.lang.Reduced';
  }
}
