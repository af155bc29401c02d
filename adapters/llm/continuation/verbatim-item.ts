/** A piece of what a vendor answered, in the vendor's own bytes (providers.md §5.8). */
export interface VerbatimItem {
  /** JSON text as the vendor wrote it. */
  readonly json: string;
  /** Id by which programs know the call that it makes; null for what is no call. */
  readonly call: string | null;
  /** Member of the message that it was in, on wires whose messages are objects; null for an item of a list. */
  readonly member: string | null;
}
