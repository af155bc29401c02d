import type { CompileFault, ComponentSource } from '../../../contract/sandbox-protocol.ts';
import type { BuiltinTable } from '../../runtime/builtins/table.ts';
import { FailSignal, fromHostError, LimitSignal, LispError, ReturnSignal } from '../../runtime/errors.ts';
import type { ForeignNamespace } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { byteSpan, positionsOf } from '../reader/positions.ts';
import { independentFaults } from './independent-faults.ts';
import { compilationOrder } from './order.ts';
import { SetFault } from './set-fault.ts';

/** Faults that a refusal reports, and units of a source that is searched for them. */
const MAXIMUM_FAULTS = 64;
const MAXIMUM_SEARCHED = 262_144;

/** Why a component is refused. */
export interface ComponentRefusal {
  readonly fault: CompileFault;
  /** All of the component, the one above among them. */
  readonly faults: readonly CompileFault[];
}

/** A component that compiled, and what others may name of it. */
interface CompiledMember<T> {
  readonly value: T;
  readonly namespaces: readonly ForeignNamespace[];
}

/** `used`: names of the namespaces that the components before it declare. */
type CompileMember<T> = (
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  used: ReadonlySet<string>,
) => CompiledMember<T> | ComponentRefusal;

export interface CompiledMembers<T> {
  readonly compiled: readonly T[];
  readonly refusals: readonly ComponentRefusal[];
}

interface VisibleNamespace {
  readonly component: string;
  readonly namespace: ForeignNamespace;
}

/**
 * Compiles a closed set, each component after its dependencies. What uses a component that has faults may only have
 * theirs, so it is left out. The fault of the set itself where it is no such set.
 */
export function compileSet<T>(
  components: readonly ComponentSource[],
  compile: CompileMember<T>,
): CompiledMembers<T> | CompileFault {
  const compiled: T[] = [];
  const refusals: ComponentRefusal[] = [];
  const broken = new Set<string>();
  const namespaces = new Map<string, VisibleNamespace>();
  try {
    for (const source of compilationOrder(components)) {
      const isBroken = source.dependencies.some((id) => broken.has(id));
      const made = isBroken ? null : compile(source, visibleTo(source, namespaces), new Set(namespaces.keys()));
      if (made === null || 'fault' in made) {
        broken.add(source.id);
        if (made !== null) refusals.push(made);
        continue;
      }
      compiled.push(made.value);
      for (const namespace of made.namespaces) namespaces.set(namespace.name, { component: source.id, namespace });
    }
  } catch (thrown) {
    if (!(thrown instanceof SetFault)) throw thrown;
    const { reason, message, component } = thrown;
    return { reason, message, component, span: null, details: {} };
  }
  return { compiled, refusals };
}

/** Of all refusals, as many as are reported. */
export function faultsOf(refusals: readonly ComponentRefusal[]): readonly CompileFault[] {
  return refusals.flatMap(({ faults }) => faults).slice(0, MAXIMUM_FAULTS);
}

/** Namespaces that a component may name: those of its direct dependencies. */
function visibleTo(
  source: ComponentSource,
  namespaces: ReadonlyMap<string, VisibleNamespace>,
): Map<string, ForeignNamespace> {
  const visible = new Map<string, ForeignNamespace>();
  for (const [name, { component, namespace }] of namespaces)
    if (source.dependencies.includes(component)) visible.set(name, namespace);
  return visible;
}

/**
 * What else can be known to be wrong; the refusal alone of a long source, or of one that is nested too deeply to be
 * looked through.
 */
export function allFaults(
  refusal: CompileFailure,
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  builtins: BuiltinTable,
): readonly CompileFault[] {
  if (source.source.length > MAXIMUM_SEARCHED) return [faultOf(refusal, source, null)];
  try {
    return independentFaults(source, refusal, dependencies, builtins).map((failure) => faultOf(failure, source, null));
  } catch (thrown) {
    if (thrown instanceof RangeError) return [faultOf(refusal, source, null)];
    throw thrown;
  }
}

/** What was thrown while a component was compiled; `at` is the form whose initialiser ran, null while none did. */
export function faultOf(
  thrown: unknown,
  source: ComponentSource,
  at: { readonly start: number; readonly end: number } | null,
): CompileFault {
  const positions = positionsOf(source.source);
  const spanOf = (place: { readonly start: number; readonly end: number } | null): CompileFault['span'] =>
    place === null ? null : byteSpan(positions, place.start, place.end);
  const fault = (reason: string, message: string): CompileFault => ({
    reason,
    message,
    component: source.id,
    span: spanOf(at),
    details: {},
  });
  if (thrown instanceof CompileFailure) {
    return {
      reason: thrown.reason,
      message: thrown.message,
      component: source.id,
      span: spanOf(thrown.place),
      details: thrown.details,
    };
  }
  const cause = fromHostError(thrown);
  if (cause instanceof LimitSignal)
    return fault(cause.kind === 'memory_exceeded' ? 'compile_memory_exceeded' : cause.kind, cause.message);
  if (cause instanceof LispError)
    return fault('compile_error', `An initialiser failed: ${cause.message ?? cause.className}`);
  if (cause instanceof ReturnSignal || cause instanceof FailSignal)
    return fault('compile_error', 'An initialiser cannot return or fail');
  throw thrown;
}
