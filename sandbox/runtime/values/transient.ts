import { valueError } from '../errors.ts';
import { ABSENT } from './map.ts';
import type { MapBuilder } from './map-builder.ts';
import type { SetBuilder } from './set.ts';
import type { VectorBuilder } from './vector.ts';

export type TransientSource =
  | { readonly kind: 'vector'; readonly builder: VectorBuilder }
  | { readonly kind: 'map'; readonly builder: MapBuilder }
  | { readonly kind: 'set'; readonly builder: SetBuilder };

const NAMES = {
  vector: 'clojure.lang.PersistentVector$TransientVector',
  map: 'clojure.lang.PersistentHashMap$TransientHashMap',
  set: 'clojure.lang.PersistentHashSet$TransientHashSet',
} as const;

/** A collection changed in place until `persistent!`; any use after that is refused. */
export class Transient {
  declare source: TransientSource;
  declare closed: boolean;

  constructor(source: TransientSource) {
    this.source = source;
    this.closed = false;
  }

  get javaName(): string {
    return NAMES[this.source.kind];
  }

  /** Raises value_error for a transient that `persistent!` has ended. */
  refuseEnded(): void {
    if (this.closed) throw valueError('java.lang.IllegalAccessError', 'Transient used after persistent! call');
  }

  get count(): number {
    this.refuseEnded();
    return this.source.builder.count;
  }

  /** The value under a key, the element at an index or the stored member, or `ABSENT`. */
  lookup(key: unknown): unknown {
    this.refuseEnded();
    const { source } = this;
    if (source.kind !== 'vector') return source.builder.lookup(key);
    const isIndex = typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < source.builder.count;
    return isIndex ? source.builder.at(key) : ABSENT;
  }
}
