import { branch } from '../branch.ts';

/** A multimethod: dispatch function, methods by dispatch value, preferences; the choice is in `dispatch.ts`. */
export class MultiMethod {
  declare readonly name: string;
  declare readonly dispatch: unknown;
  declare readonly defaultValue: unknown;
  /** A variable, atom or volatile that holds a hierarchy; null for the global one. */
  declare readonly hierarchy: unknown;
  /** Map of dispatch value to function. */
  declare methods: unknown;
  /** Map of dispatch value to the set of values it is preferred over. */
  declare preferences: unknown;
  /** The parallel branch in which it was made. */
  declare readonly birth: number;
  /** Set by the runtime: calls the method for these arguments. */
  declare readonly call: (multimethod: MultiMethod, args: readonly unknown[]) => unknown;

  constructor(facts: {
    readonly name: string;
    readonly dispatch: unknown;
    readonly defaultValue: unknown;
    readonly hierarchy: unknown;
    readonly methods: unknown;
    readonly preferences: unknown;
    readonly call: (multimethod: MultiMethod, args: readonly unknown[]) => unknown;
  }) {
    this.name = facts.name;
    this.dispatch = facts.dispatch;
    this.defaultValue = facts.defaultValue;
    this.hierarchy = facts.hierarchy;
    this.methods = facts.methods;
    this.preferences = facts.preferences;
    this.call = facts.call;
    this.birth = branch.current;
  }

  get javaName(): string {
    return 'clojure.lang.MultiFn';
  }
}
