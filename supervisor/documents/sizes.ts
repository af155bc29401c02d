/** Bytes of each document at most (documents.md §1). */
export const MAX_BYTES = {
  manifest: 1_000_000,
  component: 2_000_000,
  input: 2_000_000,
  contract: 65_536,
  overrideDescriptor: 65_536,
  candidateSource: 1_048_576,
  project: 262_144,
  host: 1_000_000,
  cases: 2_000_000,
  gateway: 1_000_000,
} as const;

/** The closure of one application: every file it names counted once (documents.md §1). */
export const MAX_CLOSURE_DOCUMENTS = 512;
export const MAX_CLOSURE_BYTES = 8_388_608;
