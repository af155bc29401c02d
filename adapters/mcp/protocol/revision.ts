/** The one revision of the protocol that is spoken (providers.md §7). */
export const PROTOCOL_VERSION = '2026-07-28';

/** Bytes of one message, in either direction (providers.md §7.8, §8). */
export const MESSAGE_BYTES_IN = 2_097_152;
export const MESSAGE_BYTES_OUT = 1_048_567;
/** Levels of a message: with the record around it, what an inspection file holds (evidence.md §6). */
export const MESSAGE_DEPTH = 51;

/** What the program calls itself towards servers (providers.md §7.1). */
export const CLIENT = { name: 'svc', version: '0.1.0' } as const;
