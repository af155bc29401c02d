/**
 * The two kinds of message on the `host` channel, as a frame's header states them, and nothing else: a call is
 * `<id> <method> <argument>...` with its last argument as the frame's body, an answer is `<id>` with its text as the
 * body. Comlink's own messages (which can read, set and construct anything reachable by a path) never travel.
 */

export interface CallHeader {
  readonly id: string;
  readonly method: string;
  /** All but the last argument. */
  readonly arguments: readonly string[];
}

/** Number of a call: a supervisor counts them for each host. */
const ID = /^[1-9]\d{0,14}$/;
const MAX_ARGUMENTS = 3;

/** The header of a call. Neither its method nor its arguments hold a space. */
export function callHeader({ id, method, arguments: texts }: CallHeader): string {
  return [id, method, ...texts].join(' ');
}

/** The call a header states, or null for anything that is not exactly a call. */
export function parseCallHeader(header: string): CallHeader | null {
  const [id, method, ...texts] = header.split(' ');
  if (id === undefined || !ID.test(id) || method === undefined || texts.length > MAX_ARGUMENTS) return null;
  return { id, method, arguments: texts };
}
