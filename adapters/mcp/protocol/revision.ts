/** The revision that every server is asked for first (providers.md §7). */
export const PROTOCOL_VERSION = '2026-07-28';

/** Earlier ones, which begin with `initialize` and keep a session; the newest first (world.md §2.1). */
export const OLDER_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export type OlderRevision = (typeof OLDER_REVISIONS)[number];
export type Revision = typeof PROTOCOL_VERSION | OlderRevision;

/** Which of them an installation may be spoken to in: every one, or the newest alone. */
export type RevisionPolicy = 'auto' | typeof PROTOCOL_VERSION;

export function isOlder(revision: Revision): revision is OlderRevision {
  return revision !== PROTOCOL_VERSION;
}

/** Bytes of one message, in either direction (providers.md §7.8, §8). */
export const MESSAGE_BYTES_IN = 2_097_152;
export const MESSAGE_BYTES_OUT = 1_048_567;
/** Levels of a message: with the record around it, what an inspection file holds (evidence.md §6). */
export const MESSAGE_DEPTH = 51;

/** What the program calls itself towards servers (providers.md §7.1). */
export const CLIENT = { name: 'svc', version: '0.1.0' } as const;
