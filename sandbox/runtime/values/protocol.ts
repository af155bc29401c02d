import { branch } from '../branch.ts';
import type { LispMap } from './map.ts';

/** A protocol: named methods, and what implements them for classes that do not do so themselves. */
export class Protocol {
  declare readonly namespace: string;
  declare readonly name: string;
  /** Keywords of the methods, each with a vector of the argument counts it takes. */
  declare readonly methods: LispMap;
  /** Whether metadata of a value may implement it. */
  declare readonly viaMetadata: boolean;
  /** Classes, and nil, with maps of method names (keywords) to functions. */
  declare implementations: LispMap;
  /** The parallel branch in which it was made. */
  declare readonly birth: number;
  /** Set once for a protocol of a component: nothing outside extends it. */
  declare isClosed: boolean;

  constructor(facts: {
    readonly namespace: string;
    readonly name: string;
    readonly methods: LispMap;
    readonly viaMetadata: boolean;
    readonly implementations: LispMap;
  }) {
    this.namespace = facts.namespace;
    this.name = facts.name;
    this.methods = facts.methods;
    this.viaMetadata = facts.viaMetadata;
    this.implementations = facts.implementations;
    this.birth = branch.current;
    this.isClosed = false;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentArrayMap';
  }

  get printed(): string {
    return `#object[${this.namespace}/${this.name}]`;
  }
}
