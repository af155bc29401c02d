import { isJsonObject } from '../../../contract/json/value.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';
import { callCapability } from './call.ts';
import type { CallRun, EvaluationCaller } from './call-run.ts';
import type { Capability } from './capability.ts';
import { errorAnswer, type CallAnswer } from './envelope.ts';
import type { Route } from './route.ts';
import {
  ANNOTATE,
  SHARED_ROUTES,
  WAIT,
  annotate,
  callKernelRoute,
  callOwnRoute,
  callWait,
  isOwnRoute,
} from './routes.ts';

/** What one environment may call, by name. */
export type CapabilitySet = ReadonlyMap<string, Capability>;

export interface Grants {
  readonly capabilities: { readonly workflow: CapabilitySet; readonly missions: ReadonlyMap<string, CapabilitySet> };
  /** `kernel-*`, which the workflow alone may call; the compiler keeps the private ones to their component. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The run's usage so far, for `runtime-usage`. */
  readonly usage: () => Readonly<Record<string, unknown>>;
}

function grantedTo(mission: string | null, { capabilities }: Grants): CapabilitySet {
  return mission === null ? capabilities.workflow : (capabilities.missions.get(mission) ?? new Map());
}

/** Names that an environment may call, in byte order. */
export function grantedNames(mission: string | null, grants: Grants): readonly string[] {
  const own = mission === null ? [...grants.routes.keys(), ANNOTATE, WAIT] : [];
  return [...grantedTo(mission, grants).keys(), ...SHARED_ROUTES, ...own].toSorted(compareUtf8);
}

/** Answers a call by the capability or the route of its name. */
export async function callGranted(
  run: CallRun,
  grants: Grants,
  caller: EvaluationCaller,
  { name, arguments: text }: CapabilityCall,
): Promise<CallAnswer> {
  const { mission } = caller.evaluation;
  const capabilities = grantedTo(mission, grants);
  const capability = capabilities.get(name);
  if (capability !== undefined) return callCapability(run, caller, capability, text);
  if (isOwnRoute(name)) return callOwnRoute(run, caller, name, { usage: grants.usage, capabilities }, text);
  const route = mission === null ? grants.routes.get(name) : undefined;
  if (route !== undefined) return callKernelRoute(run, caller, name, route, text);
  if (mission === null && name === WAIT) return callWait(run, caller, text);
  if (mission === null && name === ANNOTATE) return annotate(run, caller, text);
  return errorAnswer('capability_denied', 'capability_absent');
}

/** Names of arguments that a message lists at most, and characters of each. */
const ARGUMENT_NAMES_MAX = 32;
const ARGUMENT_NAME_LENGTH_MAX = 128;

/** Names of the arguments of a tool that models see; none of any other, and of one that names none. */
export function grantedArguments(mission: string | null, tool: string, grants: Grants): readonly string[] {
  const capability = grantedTo(mission, grants).get(tool);
  if (capability?.isModelVisible !== true || !isJsonObject(capability.inputSchema)) return [];
  const properties = capability.inputSchema.get('properties');
  const names = isJsonObject(properties) ? [...properties.keys()] : [];
  const isShort = names.every((name) => name.length <= ARGUMENT_NAME_LENGTH_MAX && name.isWellFormed());
  return names.length <= ARGUMENT_NAMES_MAX && isShort ? names.toSorted(compareUtf8) : [];
}
