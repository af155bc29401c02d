import { Collection } from './collection.ts';

/** A recipe for elements: a transducer and its source, run anew at each use. */
export class Eduction extends Collection {
  declare readonly transducer: unknown;
  declare readonly source: unknown;
  /** Runs the recipe; handed in by the transducer functions, which know how. */
  declare readonly run: (eduction: Eduction, visitor: (element: unknown) => unknown) => boolean;

  constructor(
    transducer: unknown,
    source: unknown,
    run: (eduction: Eduction, visitor: (element: unknown) => unknown) => boolean,
  ) {
    super(null);
    this.transducer = transducer;
    this.source = source;
    this.run = run;
  }

  get javaName(): string {
    return 'clojure.core.Eduction';
  }

  /** Visits what comes out until the visitor returns true; answers whether it did. */
  visit(visitor: (element: unknown) => unknown): boolean {
    return this.run(this, visitor);
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
