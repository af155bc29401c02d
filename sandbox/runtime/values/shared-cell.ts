/** A place that functions share before they all exist (`letfn`). */
export class SharedCell {
  declare value: unknown;
  constructor() {
    this.value = null;
  }
}
