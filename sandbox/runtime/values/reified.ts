import type { LispMap } from './map.ts';

/** What a `reify` gives: an object of nothing but methods, equal to itself alone. */
export class Reified {
  /** `user$reify__12`: the same for all that one form gives. */
  declare readonly className: string;
  /** As of `RecordType`. */
  declare readonly methods: LispMap;
  declare readonly meta: unknown;

  constructor(className: string, methods: LispMap, meta: unknown) {
    this.className = className;
    this.methods = methods;
    this.meta = meta;
  }

  get javaName(): string {
    return this.className;
  }

  get printed(): string {
    return `#object[${this.className}]`;
  }

  withMeta(meta: unknown): Reified {
    return new Reified(this.className, this.methods, meta);
  }
}
