/** A variable: `#'namespace/name`; `=` by identity. */
export class Var {
  declare readonly namespace: string;
  declare readonly name: string;
  /** `UNBOUND` before a definition. */
  declare value: unknown;
  /** Null or a map. */
  declare meta: unknown;

  constructor(namespace: string, name: string, value: unknown, meta: unknown) {
    this.namespace = namespace;
    this.name = name;
    this.value = value;
    this.meta = meta;
  }

  get javaName(): string {
    return 'clojure.lang.Var';
  }
}

/** What a declared variable without a value holds; never a value of the language. */
export const UNBOUND: unique symbol = Symbol('unbound');
