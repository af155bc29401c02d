/** What a provider said, or what happened on the way to it (world.md §1.5). No credential is in it. */
export interface ProviderWords {
  readonly alias: string;
  readonly said: string;
}
