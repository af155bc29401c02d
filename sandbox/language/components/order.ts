import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import { compareUtf8 } from '../../runtime/json/write.ts';
import { SetFault } from './set-fault.ts';

/** Bounds of a closed set (language.md §13). */
const MAXIMUM_COMPONENTS = 128;
const MAXIMUM_EDGES = 512;
const MAXIMUM_SOURCE_BYTES = 2_000_000;

const ID = /^[a-z][a-z0-9._-]{0,127}$/;

/** Components in compilation order: dependencies first, ties by id. Throws `SetFault`. */
export function compilationOrder(components: readonly ComponentSource[]): ComponentSource[] {
  refuseBeyondBounds(components);
  const byId = new Map<string, ComponentSource>();
  for (const component of components) {
    if (!ID.test(component.id))
      throw new SetFault('compile_error', `Bad component id: ${component.id.slice(0, 128)}`, component.id);
    if (byId.has(component.id))
      throw new SetFault('duplicate_component', `Component ${component.id} is listed twice`, component.id);
    byId.set(component.id, component);
  }
  for (const component of components) refuseBadDependencies(component, byId);
  const ordered: ComponentSource[] = [];
  const placed = new Set<string>();
  let waiting = components.toSorted((a, b) => compareUtf8(a.id, b.id));
  while (waiting.length > 0) {
    const ready = waiting.find((component) => component.dependencies.every((id) => placed.has(id)));
    if (ready === undefined) {
      const ids = waiting.map((component) => component.id);
      throw new SetFault(
        'dependency_cycle',
        `Components depend on each other: ${ids.join(', ').slice(0, 512)}`,
        ids[0] ?? null,
      );
    }
    ordered.push(ready);
    placed.add(ready.id);
    waiting = waiting.filter((component) => component !== ready);
  }
  return ordered;
}

function refuseBeyondBounds(components: readonly ComponentSource[]): void {
  if (components.length > MAXIMUM_COMPONENTS)
    throw new SetFault('program_too_large', `More than ${MAXIMUM_COMPONENTS} components`, null);
  const edges = components.reduce((sum, component) => sum + component.dependencies.length, 0);
  if (edges > MAXIMUM_EDGES) throw new SetFault('program_too_large', `More than ${MAXIMUM_EDGES} dependencies`, null);
  // A UTF-16 unit is at least a byte, so this refuses early what is certainly too large; bytes are the reader's count.
  const units = components.reduce((sum, component) => sum + component.source.length, 0);
  if (units > MAXIMUM_SOURCE_BYTES)
    throw new SetFault('program_too_large', `More than ${MAXIMUM_SOURCE_BYTES} bytes of source`, null);
}

function refuseBadDependencies(component: ComponentSource, byId: ReadonlyMap<string, ComponentSource>): void {
  component.dependencies.forEach((id, index) => {
    const before = component.dependencies[index - 1];
    if (before !== undefined && compareUtf8(before, id) >= 0) {
      throw new SetFault('compile_error', `Dependencies of ${component.id} must be sorted and unique`, component.id);
    }
    if (!byId.has(id))
      throw new SetFault(
        'unknown_dependency',
        `Component ${component.id} depends on ${id.slice(0, 128)}, which is not in the set`,
        component.id,
      );
  });
}
