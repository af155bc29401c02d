import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { Component } from './read.ts';

export type ComponentOrder =
  | { readonly ok: true; readonly components: readonly Component[] }
  | { readonly ok: false; readonly fault: 'unknown_dependency' | 'dependency_cycle'; readonly component: Component };

/** Each component after its dependencies, ties by the bytes of their ids (documents.md §3); ids are all different. */
export function orderComponents(components: readonly Component[]): ComponentOrder {
  const known = new Map(components.map((component) => [component.id, component]));
  const pending = new Map<string, Set<string>>();
  const dependants = new Map<string, string[]>();
  for (const component of components.toSorted((left, right) => compareUtf8(left.id, right.id))) {
    const { id, dependencies } = component;
    if (!dependencies.every((name) => known.has(name))) return { ok: false, fault: 'unknown_dependency', component };
    pending.set(id, new Set(dependencies));
    for (const name of dependencies) dependants.set(name, [...(dependants.get(name) ?? []), id]);
  }
  const ordered: Component[] = [];
  for (;;) {
    // At most 128 components: looking through all of them for the least free one costs nothing.
    const free = [...pending].find(([, needs]) => needs.size === 0)?.[0];
    const component = free === undefined ? undefined : known.get(free);
    if (free === undefined || component === undefined) break;
    pending.delete(free);
    ordered.push(component);
    for (const dependant of dependants.get(free) ?? []) pending.get(dependant)?.delete(free);
  }
  const [stuck] = pending.keys();
  const component = stuck === undefined ? undefined : known.get(stuck);
  return component === undefined
    ? { ok: true, components: ordered }
    : { ok: false, fault: 'dependency_cycle', component };
}
