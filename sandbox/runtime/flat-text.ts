/** Matches every text. */
const ANY = /^/;

/**
 * The same text in one piece. The engine keeps a text that was put together of others as a rope of 32 bytes for each of
 * them until something looks into it, as a pattern does; plainer looks it does without, or leaves out as useless.
 */
export function flatText(text: string): string {
  ANY.test(text);
  return text;
}

/** So many parts of a long text are made one piece: a rope of them is small beside the memory of a mission. */
export const ROPE_PARTS = 65_536;
