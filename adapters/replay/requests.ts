import { canonicalJson } from '../../contract/json/canonical.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { valueOf } from '../../contract/json/node.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';

/**
 * The requests that the entries of a fixture file answer, as they were recorded: JSON Lines beside it, one object with
 * `request_hash` and `request` in each. Nothing is replayed from it; it only lets a miss say what changed.
 */
export interface RecordedRequest {
  readonly requestHash: string;
  /** Without `model`. */
  readonly request: JsonObject;
}

/** Bytes of the file that are read at most. */
export const MAX_REQUESTS_BYTES = 32_000_000;

const SUFFIX = '.jsonl';

/** Where the requests of a fixture file lie: `replay.requests.jsonl` beside `replay.jsonl`. */
export function requestsPath(fixtures: string): string {
  return `${fixtures.endsWith(SUFFIX) ? fixtures.slice(0, -SUFFIX.length) : fixtures}.requests${SUFFIX}`;
}

/** One line of the file, with its line feed. */
export function requestLine({ requestHash, request }: RecordedRequest): string {
  return `${canonicalJson(
    new Map<string, string | JsonObject>([
      ['request_hash', requestHash],
      ['request', request],
    ]),
  )}\n`;
}

/** The requests of a file, line by line; a line that is none is passed over, since nothing depends on it. */
export function* readRequests(bytes: Uint8Array): Generator<RecordedRequest> {
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    const read = requestIn(bytes.subarray(start, end));
    start = end + 1;
    if (read !== null) yield read;
  }
}

function requestIn(line: Uint8Array): RecordedRequest | null {
  const parsed = parseJson(line, documentLimits(line.length));
  const value = parsed.ok ? valueOf(parsed.root) : null;
  if (!isJsonObject(value)) return null;
  const requestHash = value.get('request_hash');
  const request = value.get('request');
  return typeof requestHash === 'string' && isJsonObject(request) ? { requestHash, request } : null;
}
