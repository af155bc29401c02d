import { hashSymbol } from './hashing.ts';
import { splitQualified } from './keyword.ts';

/** A symbol with optional metadata; equality looks at namespace and name. */
export class LispSymbol {
  declare readonly namespace: string | null;
  declare readonly name: string;
  /** Null or a map. */
  declare readonly meta: unknown;

  constructor(namespace: string | null, name: string, meta: unknown) {
    this.namespace = namespace;
    this.name = name;
    this.meta = meta;
  }

  get javaName(): string {
    return 'clojure.lang.Symbol';
  }

  get text(): string {
    return this.namespace === null ? this.name : `${this.namespace}/${this.name}`;
  }

  get hash(): number {
    return hashSymbol(this.namespace, this.name);
  }

  withMeta(meta: unknown): LispSymbol {
    return new LispSymbol(this.namespace, this.name, meta);
  }
}

export function symbol(namespace: string | null, name: string, meta: unknown = null): LispSymbol {
  return new LispSymbol(namespace, name, meta);
}

export function symbolFromText(text: string): LispSymbol {
  const [namespace, name] = splitQualified(text);
  return new LispSymbol(namespace, name, null);
}
