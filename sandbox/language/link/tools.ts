import { DISCOVERY, DISCOVERY_NAMESPACE, routeNamed } from '../../../contract/routes.ts';
import { LispError, LimitSignal } from '../../runtime/errors.ts';
import { describeFunction } from '../../runtime/functions.ts';
import type { LispFunction } from '../../runtime/invoke.ts';
import { Keyword, keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { LispSymbol } from '../../runtime/values/symbol.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { displayString } from '../../runtime/print.ts';
import { readJson } from '../../runtime/json/read.ts';
import { jsonString, writeJson, type Projection } from '../../runtime/json/write.ts';
import { CALL_PLACE, PLACE_QUESTION } from '../../../contract/call-place.ts';
import { limitOf } from './exceptions.ts';
import { Program } from './program.ts';
import type { Session } from './session.ts';

const EMPTY_ARGUMENTS = mapFromEntries([]);

function toolFault(reason: 'tool_error' | 'invalid_tool_args', tool: string, message: string): LispError {
  const data = mapFromEntries([keyword(null, 'kind'), reason, keyword(null, 'tool'), tool]);
  return new LispError(reason, 'clojure.lang.ExceptionInfo', message, data);
}

/** The name of a function that raises what its tool answers as an error begins with it. */
export const RAISING_TOOL_UNIT = 'tool!:';

/** Characters of what a server says, and of the rules that arguments broke, in the message of an exception. */
const SAID = 1024;

/** The failure of a tool as an exception: `ex-data` has the whole envelope as `:error` (code-mode.md §5). */
function failedCall(tool: string, failure: LispMap): LispError {
  const [kind, reason, details = null] = ['kind', 'reason', 'details'].map((name) =>
    failure.lookup(keyword(null, name)),
  );
  const words = [kind, reason].flatMap((word) => (word instanceof Keyword ? [word.name] : []));
  const said = details === null ? '' : `: ${shortened(displayString(details))}`;
  const data = mapFromEntries([
    keyword(null, 'kind'),
    'tool_error',
    keyword(null, 'tool'),
    tool,
    keyword(null, 'error'),
    failure,
  ]);
  const message = `tool/${tool} failed (${words.join(', ')})${said}`;
  return new LispError('tool_error', 'clojure.lang.ExceptionInfo', message, data);
}

function shortened(text: string): string {
  return text.length <= SAID ? text : `${text.slice(0, SAID - 1).toWellFormed()}…`;
}

/** `(tool!/name …)`: gives what `tool/name` gives; a failure is raised. */
export function callToolOrRaise(session: Session, tool: string, args: readonly unknown[]): unknown {
  const answer = callTool(session, tool, args);
  if (answer instanceof LispMap && answer.lookup(keyword(null, 'status')) === keyword(null, 'error'))
    throw failedCall(tool, answer);
  return answer;
}

export function raisingToolFunction(session: Session, tool: string): LispFunction {
  const call: LispFunction = (...args) => callToolOrRaise(session, tool, args);
  return describeFunction(call, {
    name: `tool!/${tool}`,
    unit: `${RAISING_TOOL_UNIT}${tool}`,
    captures: null,
    meta: null,
  });
}

/** `(tool/name)`, `(tool/name {…})` or `(tool/name :k v …)` (language.md §14). */
function argumentMap(tool: string, args: readonly unknown[]): LispMap {
  const [first] = args;
  if (args.length === 0) return EMPTY_ARGUMENTS;
  if (args.length === 1 && first instanceof LispMap) return first;
  if (args.length % 2 === 0) return mapFromEntries(args);
  throw toolFault('invalid_tool_args', tool, `tool/${tool} takes one map, or keywords and values, or nothing`);
}

/** `(tool/call 'server/tool {…})`: the tool of a server by its name, which may be computed (language.md §14). */
function serverCall([name, ...rest]: readonly unknown[]): LispMap {
  const text = name instanceof LispSymbol ? name.text : name;
  const [, server, tool] = (typeof text === 'string' ? /^([^/]+)\/(.+)$/s.exec(text) : null) ?? [];
  if (server === undefined || tool === undefined)
    throw toolFault('invalid_tool_args', 'call', "tool/call takes 'server/tool and its arguments");
  return mapFromEntries(['server', server, 'tool', tool, 'args', argumentMap('call', rest)]);
}

function isServerCall(tool: string, [first]: readonly unknown[]): boolean {
  return tool === 'call' && (typeof first === 'string' || first instanceof LispSymbol);
}

/** Calls a granted tool and gives its result as a value. */
export function callTool(session: Session, tool: string, args: readonly unknown[]): unknown {
  if (session.initialising) return null;
  // No call after a limit: the limit goes on unwinding.
  const limit = limitOf(session);
  if (limit !== null) throw limit;
  const sent = isServerCall(tool, args) ? serverCall(args) : argumentMap(tool, args);
  const written = writtenArguments(tool, withProgramSource(sent));
  if (!written.ok) throw toolFault('invalid_tool_args', tool, `tool/${tool}: ${written.fault.message}`);
  session.lastReply = undefined;
  session.lastReply = readReply(tool, answerTo(session, tool, written.text));
  return session.lastReply;
}

/** A value that a route judges crosses as a result does, its keys as they are (runtime.md §6). */
function writtenArguments(tool: string, args: LispMap): Projection {
  if (routeNamed(tool)?.judgesValue !== true) return writeJson(args, 'tool');
  const judged: { readonly key: unknown; readonly value: unknown }[] = [];
  args.visit((key, value) => {
    if (key === 'value' || key === keyword(null, 'value')) judged.push({ key, value });
  });
  const [found, second] = judged;
  if (found === undefined || second !== undefined) return writeJson(args, 'tool');
  const value = writeJson(found.value, 'result');
  const others = value.ok ? writeJson(args.dissoc(found.key), 'tool') : value;
  if (!value.ok || !others.ok) return others;
  const before = others.text === '{}' ? '{' : `${others.text.slice(0, -1)},`;
  return { ok: true, text: `${before}"value":${value.text}}` };
}

/** Who is asked about a call is shown where it is: only then is that found out, so that other calls pay nothing. */
function answerTo(session: Session, tool: string, argumentsText: string): string {
  const answer = answerOf(session, callText(tool, argumentsText));
  if (!answer.startsWith(PLACE_QUESTION)) return answer;
  const question = readJson(answer);
  const source = question instanceof LispMap ? question.lookup('program') : null;
  return answerOf(session, callText(CALL_PLACE, session.callPlaces(typeof source === 'string' ? source : null)));
}

function callText(name: string, argumentsText: string): string {
  return `{"arguments":${jsonString(argumentsText)},"name":${jsonString(name)}}`;
}

/** The bridge throws when the host does not carry the call: the isolate is being ended. */
function answerOf(session: Session, call: string): string {
  try {
    return session.callCapability(call);
  } catch {
    throw new LimitSignal('runtime_limit_exceeded', 'the capability call was not carried');
  }
}

/** A program value goes to the kernel as its source; it is admitted nowhere below the top (language.md §14). */
function withProgramSource(args: LispMap): LispMap {
  let changed = args;
  args.visit((key, value) => {
    if (value instanceof Program) changed = changed.assoc(key, value.source);
  });
  return changed;
}

/** `tool/name` as a function value; a name with the namespace of discovery is that of such a function. */
export function toolFunction(session: Session, tool: string): LispFunction {
  const [namespace, name] = tool.split('/');
  if (namespace === DISCOVERY_NAMESPACE && name !== undefined) return discoveryFunction(session, name);
  const call: LispFunction = (...args) => callTool(session, tool, args);
  return describeFunction(call, { name: `tool/${tool}`, unit: `tool:${tool}`, captures: null, meta: null });
}

/** `cap/search` and `cap/describe` of a program that has no library of that name. */
export function discoveryFunction(session: Session, name: string): LispFunction {
  const found = DISCOVERY.get(name);
  if (found === undefined) throw new Error('the analyser knows the routes');
  const call: LispFunction = (argument) => callTool(session, found.route, [mapFromEntries([found.field, argument])]);
  const written = `${DISCOVERY_NAMESPACE}/${name}`;
  return describeFunction(call, { name: written, unit: `tool:${written}`, captures: null, meta: null });
}

/**
 * What the supervisor answered (`CapabilityReply`): a bare value, an envelope with keyword keys whose value keeps
 * string keys (runtime.md §5), an error to raise, or an end that no program can catch.
 */
function readReply(tool: string, text: string): unknown {
  const reply = readJson(text);
  const kind = reply instanceof LispMap ? reply.lookup('reply') : null;
  if (!(reply instanceof LispMap)) throw new LimitSignal('runtime_limit_exceeded', 'a capability gave no answer');
  switch (kind) {
    case 'value':
      return reply.lookup('value');
    case 'envelope':
      return envelope(reply.lookup('envelope'));
    case 'error':
      throw toolFault('tool_error', tool, String(reply.lookup('message')));
    default:
      // `closed`: a closed run, a lost lease, a quota that ends the evaluation.
      throw new LimitSignal('runtime_limit_exceeded', closedMessage(reply.lookup('reason')));
  }
}

function closedMessage(reason: unknown): string {
  return typeof reason === 'string'
    ? `the capability call ended the evaluation: ${reason}`
    : 'the capability call was ended';
}

/** Members of an envelope whose text is a keyword to programs. */
const KEYWORD_MEMBERS: ReadonlySet<string> = new Set(['status', 'kind', 'reason', 'mutation_state']);

function envelope(members: unknown): unknown {
  if (!(members instanceof LispMap)) return members;
  const flat: unknown[] = [];
  members.visit((key, value) => {
    const name = String(key);
    flat.push(
      keyword(null, name),
      typeof value === 'string' && KEYWORD_MEMBERS.has(name) ? keyword(null, value) : value,
    );
  });
  return mapFromEntries(flat);
}
