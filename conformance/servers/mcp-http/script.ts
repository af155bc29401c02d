import { isObject } from '../is-object.ts';
import { FAULTS as HTTP_FAULTS, type AnswerHeaders, type Delivery } from '../http/deliver.ts';
import type { Certificate } from '../http/listen.ts';

/**
 * What a scripted server of tools over HTTP does, as data (JSON): steps, each a condition on a request and what is
 * done. A request takes the first step that fits it and has a use left; one that fits none is answered with an error of
 * JSON-RPC.
 */
export interface HttpStep {
  readonly match?: HttpMatch;
  /** Requests that it answers before it is used up; absent: any number. */
  readonly times?: number;
  readonly action: HttpAction;
}

/** Every condition that is given must hold. */
export interface HttpMatch {
  readonly method?: string;
  /** Name of the tool that is called. */
  readonly name?: string;
  /** Cursor of the page that is asked for; null: the first one. */
  readonly cursor?: string | null;
  /** Whether the request carries `authorization`. */
  readonly hasToken?: boolean;
  /** `sha256:` and the hex digest of the header `authorization` that is wanted. */
  readonly authorization?: string;
}

/** One of `result`, `error`, `body` and `fault`; an action without any is a status without a body. */
export interface HttpAction {
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The whole body as it is; `{{id}}` becomes the id of the request. */
  readonly body?: string;
  /** `sse`: the answer is the last event of a stream. */
  readonly as?: 'json' | 'sse';
  /** Events of the stream before the answer, each its data; `{{id}}` becomes the id of the request. */
  readonly before?: readonly string[];
  /** The result tells the headers and the arguments of the request, secrets as hashes. */
  readonly dump?: boolean;
  readonly fault?: HttpFault;
  readonly delivery?: Delivery;
  /** What new connections find once this request was read, before it is answered: nobody, or another certificate. */
  readonly becomes?: 'gone' | Certificate;
}

export const SERVER_FAULTS = {
  ...HTTP_FAULTS,
  endless_notifications: 'a stream of notifications that never ends',
  endless_comments: 'a stream of comments that never ends',
  endless_event: 'an event that never ends',
  endless_401: 'a status 401 whose headers never end, a small one each 5 ms',
} as const;
export type HttpFault = keyof typeof SERVER_FAULTS;

const STEP_KEYS: ReadonlySet<string> = new Set(['match', 'times', 'action']);
const MATCH_KEYS: ReadonlySet<string> = new Set(['method', 'name', 'cursor', 'hasToken', 'authorization']);
const ACTION_KEYS: ReadonlySet<string> = new Set([
  'status',
  'headers',
  'result',
  'error',
  'body',
  'as',
  'before',
  'dump',
  'fault',
  'delivery',
  'becomes',
]);

/** Reads a script, an array of steps; throws an Error that names the step which is none. */
export function readHttpScript(text: string): readonly HttpStep[] {
  const steps: unknown = JSON.parse(text);
  if (!Array.isArray(steps)) throw new Error('a script is an array of steps');
  return steps.map((step: unknown, at) => {
    if (!isStep(step)) throw new Error(`step ${at} is none: {"match"?: {...}, "times"?: n, "action": {...}}`);
    return step;
  });
}

function isStep(value: unknown): value is HttpStep {
  if (!isObject(value) || !hasOnly(value, STEP_KEYS)) return false;
  const { match = {}, times = 1, action } = value;
  return (
    isObject(match) &&
    hasOnly(match, MATCH_KEYS) &&
    Number.isInteger(times) &&
    isObject(action) &&
    hasOnly(action, ACTION_KEYS) &&
    (typeof action['fault'] === 'string' ? action['fault'] in SERVER_FAULTS : action['fault'] === undefined)
  );
}

function hasOnly(value: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => keys.has(key));
}
