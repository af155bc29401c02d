import { isFunction } from '../../runtime/invoke.ts';
import type { EncodingWorld } from '../../runtime/encoding/world.ts';
import { DateFormatter } from '../../runtime/values/date-formatter.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import { Protocol } from '../../runtime/values/protocol.ts';
import { RecordType } from '../../runtime/values/record.ts';
import { NamedTemporal } from '../../runtime/values/named-temporal.ts';
import { Regex } from '../../runtime/regex/regex.ts';
import { UNBOUND } from '../../runtime/values/var.ts';
import { javaConstantName, javaMemberValue } from '../java/calls.ts';
import { failWith, returnValue } from './exceptions.ts';
import { isOwnNamespace } from './own-namespace.ts';
import { Program } from './program.ts';
import { builtinVariable, variableOf, type Session } from './session.ts';
import { raisingToolFunction, RAISING_TOOL_UNIT, toolFunction } from './tools.ts';

/** Prefixes of the names of what every isolate has (`describeFunction` of their makers). */
const JAVA = 'java:';
const TOOL = 'tool:';
const RETURN = 'control:return';
const FAIL = 'control:fail';
const CONTROL: Readonly<Record<string, unknown>> = { [RETURN]: returnValue, [FAIL]: failWith };

/** What encodings of this session's values name instead of containing it. */
export function encodingWorld(session: Session): EncodingWorld {
  let exports: ReadonlyMap<unknown, string> | null = null;
  // Most variables in a row are of one namespace.
  let last = { namespace: '', isOwn: isOwnNamespace(session, '') };
  const isOwn = (namespace: string): boolean => {
    if (last.namespace !== namespace) last = { namespace, isOwn: isOwnNamespace(session, namespace) };
    return last.isOwn;
  };
  return {
    exportedAs(value) {
      exports ??= exportedValues(session);
      return exports.get(value) ?? null;
    },
    exported(reference) {
      const slash = reference.lastIndexOf('/');
      if (!session.namespaces.has(reference.slice(0, slash))) return undefined;
      const { value } = variableOf(session, reference.slice(0, slash), reference.slice(slash + 1));
      return value === UNBOUND ? undefined : value;
    },
    isOwn: ({ namespace }) => isOwn(namespace),
    variable(namespace, name) {
      return isOwn(namespace) || session.namespaces.has(namespace)
        ? variableOf(session, namespace, name)
        : builtinVariable(session, `${namespace}/${name}`);
    },
    builtin: (name) => session.builtins.get(name)?.implementation,
    factory: (unit) => session.units.get(unit)?.make ?? null,
    nameOf(value) {
      if (value instanceof NamedTemporal || value instanceof DateFormatter) {
        const name = javaConstantName(value);
        return name === null ? null : JAVA + name;
      }
      return value === returnValue ? RETURN : value === failWith ? FAIL : null;
    },
    named(name) {
      if (name.startsWith(TOOL)) return toolFunction(session, name.slice(TOOL.length));
      if (name.startsWith(RAISING_TOOL_UNIT)) return raisingToolFunction(session, name.slice(RAISING_TOOL_UNIT.length));
      if (!name.startsWith(JAVA)) return Object.hasOwn(CONTROL, name) ? CONTROL[name] : undefined;
      const slash = name.indexOf('/');
      return javaMemberValue(name.slice(JAVA.length, slash), name.slice(slash + 1));
    },
    programSource: (value) => (value instanceof Program ? value.source : null),
    program: (source) => new Program(source),
  };
}

/** Values of component variables that are equal to themselves alone. */
function exportedValues(session: Session): ReadonlyMap<unknown, string> {
  const found = new Map<unknown, string>();
  for (const namespace of session.namespaces.keys()) {
    for (const [name, { value }] of session.variables.get(namespace) ?? []) {
      if (
        isFunction(value) ||
        value instanceof MultiMethod ||
        value instanceof Regex ||
        value instanceof Protocol ||
        value instanceof RecordType
      )
        found.set(value, `${namespace}/${name}`);
    }
  }
  return found;
}
