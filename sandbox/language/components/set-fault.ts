/** A fault of the set of components rather than of a place in a source; caught by `compileBundle` alone. */
export class SetFault extends Error {
  readonly reason: string;
  readonly component: string | null;
  constructor(reason: string, message: string, component: string | null) {
    super(message);
    this.reason = reason;
    this.component = component;
  }
}
