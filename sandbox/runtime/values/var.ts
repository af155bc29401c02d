/** A variable: `#'namespace/name`; `=` by identity. */
export class Var {
  declare readonly namespace: string;
  declare readonly name: string;
  /** `UNBOUND` before a definition. */
  declare value: unknown;
  declare private known: unknown;
  declare private late: (() => unknown) | null;

  constructor(namespace: string, name: string, value: unknown, meta: unknown) {
    this.namespace = namespace;
    this.name = name;
    this.value = value;
    this.known = meta;
    this.late = null;
  }

  /** Null or a map. */
  get meta(): unknown {
    const { late } = this;
    if (late !== null) {
      this.late = null;
      this.known = late();
    }
    return this.known;
  }

  set meta(meta: unknown) {
    this.known = meta;
    this.late = null;
  }

  /** Metadata that are made when they are first asked for: most never are. */
  describeBy(late: () => unknown): void {
    this.late = late;
  }

  get javaName(): string {
    return 'clojure.lang.Var';
  }
}

/** What a declared variable without a value holds; never a value of the language. */
export const UNBOUND: unique symbol = Symbol('unbound');
