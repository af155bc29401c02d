/**
 * What a scripted server of tools does, as data (JSON). A request takes the first step that fits it and has a use left;
 * one that fits none is answered with an error of JSON-RPC.
 */
import { isObject } from '../is-object.ts';
export interface Script {
  readonly steps: readonly StdioStep[];
  /** Stays when its input ends. */
  readonly ignoresEof?: boolean;
  readonly ignoresSigterm?: boolean;
  /** Starts a process that heeds nothing but a kill, and outlives it. */
  readonly grandchild?: boolean;
  /** The same in a session of its own, without an environment. */
  readonly stray?: boolean;
  /** The same, forked twice: nobody's child, in a session whose leader has ended. */
  readonly daemon?: boolean;
}

export interface StdioStep {
  readonly method: string;
  /** Name of the tool that is called, cursor of the page that is asked for. */
  readonly name?: string;
  readonly cursor?: string;
  /** Requests that it answers before it is used up; absent: any number. */
  readonly times?: number;
  readonly action: StdioAction;
}

/** What is done, in this order; an action without an answer leaves the request unanswered. */
export interface StdioAction {
  readonly stderr?: string;
  /** Sent before the answer, as they are; `{{id}}` becomes the id of the request. */
  readonly lines?: readonly string[];
  readonly result?: unknown;
  readonly error?: unknown;
  /** The answer: folder, arguments of the call, and the environment with its values as hashes. */
  readonly dump?: boolean;
  /** The answer comes when the request was cancelled. */
  readonly waitsForCancel?: boolean;
  /** Bytes of each write; absent: one write. */
  readonly split?: number;
  readonly exit?: number;
}

/** Reads a script; throws an Error for what is none. */
export function readStdioScript(text: string): Script {
  const script: unknown = JSON.parse(text);
  if (!isScript(script)) throw new Error('a script is {"steps": [{"method", "action": {...}}]}');
  return script;
}

function isScript(value: unknown): value is Script {
  return (
    isObject(value) &&
    Array.isArray(value['steps']) &&
    value['steps'].every((step) => isObject(step) && typeof step['method'] === 'string' && isObject(step['action']))
  );
}
