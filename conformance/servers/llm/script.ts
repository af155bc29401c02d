import { isObject } from '../is-object.ts';
import { FAULTS, type Delivery, type Fault } from '../http/deliver.ts';

/**
 * What a scripted model does, as data (JSON): steps, each a condition on a request and what is answered to it. A
 * request takes the first step that fits it and has a use left.
 */

/** Every condition that is given must hold. */
export interface RequestMatch {
  readonly wire?: WireName;
  /** The model that the request names, exactly. */
  readonly model?: string;
  /** Text that stands somewhere in the messages. */
  readonly contains?: string;
  /** Text that stands in the last message. */
  readonly lastContains?: string;
  readonly hasTools?: boolean;
  readonly hasSchema?: boolean;
  readonly path?: string;
}

export type WireName = 'openai' | 'anthropic' | 'google' | 'bedrock';

export interface ModelStep {
  readonly match?: RequestMatch;
  /** Requests that it answers before it is used up; absent: one. */
  readonly times?: number | 'any';
  readonly action: ModelAction;
}

export type ModelAction =
  | { readonly answer: Answer; readonly delivery?: Delivery }
  /**
   * Any status with any body. `{{credential}}` in it becomes the credential that was sent, to see whether it is told
   * on.
   */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly delivery?: Delivery;
    }
  | { readonly fault: Fault };

/** An answer of the model, written in the form of the wire that asked. */
export interface Answer {
  readonly text?: string | null;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish?: Finish;
  /** Null: none is told. */
  readonly usage?: Usage | null;
  /** Takes the place of members of the body that the wire would write. */
  readonly override?: Readonly<Record<string, unknown>>;
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error';

export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** A text is sent as it is, also where it is no JSON. */
  readonly args: Readonly<Record<string, unknown>> | string;
}

export interface Usage {
  readonly input?: number | string;
  readonly output?: number | string;
  readonly cacheRead?: number;
  readonly cacheCreation?: number;
  /** As a vendor tells it: a number or a decimal text. */
  readonly cost?: number | string;
}

const MATCH_KEYS: ReadonlySet<string> = new Set([
  'wire',
  'model',
  'contains',
  'lastContains',
  'hasTools',
  'hasSchema',
  'path',
]);
const STEP_KEYS: ReadonlySet<string> = new Set(['match', 'times', 'action']);

/** Reads a script, an array of steps; throws an Error that names the step which is none. */
export function readModelScript(text: string): readonly ModelStep[] {
  const steps: unknown = JSON.parse(text);
  if (!Array.isArray(steps)) throw new Error('a script is an array of steps');
  return steps.map((step: unknown, at) => {
    if (!isStep(step))
      throw new Error(
        `step ${at} is none: {"match"?: {...}, "times"?: n | "any", "action": {"answer" | "status" | "fault": ...}}`,
      );
    return step;
  });
}

function isStep(value: unknown): value is ModelStep {
  return (
    isObject(value) &&
    Object.keys(value).every((key) => STEP_KEYS.has(key)) &&
    isMatch(value['match']) &&
    isTimes(value['times']) &&
    isAction(value['action'])
  );
}

function isMatch(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).every((key) => MATCH_KEYS.has(key)));
}

function isTimes(value: unknown): boolean {
  return value === undefined || value === 'any' || (Number.isInteger(value) && Number(value) > 0);
}

function isAction(value: unknown): boolean {
  if (!isObject(value)) return false;
  if ('fault' in value) return typeof value['fault'] === 'string' && value['fault'] in FAULTS;
  return 'status' in value ? Number.isInteger(value['status']) : isObject(value['answer']);
}
