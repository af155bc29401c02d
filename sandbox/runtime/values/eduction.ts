import { Collection } from './collection.ts';

/**
 * How a recipe runs: to its end or until a visitor has enough, or one element after the other as they are asked for.
 */
interface Running {
  readonly visit: (eduction: Eduction, visitor: (element: unknown) => unknown) => boolean;
  readonly lazily: (eduction: Eduction) => unknown;
}

/** A recipe for elements: a transducer and its source, run again at each use. */
export class Eduction extends Collection {
  declare readonly transducer: unknown;
  declare readonly source: unknown;
  /** Handed in by the transducer functions, which know how. */
  declare readonly running: Running;

  constructor(transducer: unknown, source: unknown, running: Running) {
    super(null);
    this.transducer = transducer;
    this.source = source;
    this.running = running;
  }

  get javaName(): string {
    return 'clojure.core.Eduction';
  }

  /** Visits what comes out until the visitor returns true; answers whether it did. */
  visit(visitor: (element: unknown) => unknown): boolean {
    return this.running.visit(this, visitor);
  }

  /** The elements as a lazy seq, for a source that is one. */
  lazily(): unknown {
    return this.running.lazily(this);
  }

  realise(): readonly unknown[] {
    const all: unknown[] = [];
    this.visit((element) => {
      all.push(element);
    });
    return all;
  }

  withMeta(): Eduction {
    return this;
  }
}
