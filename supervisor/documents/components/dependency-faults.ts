import { diagnostic, logicalSource } from '../../../contract/diagnostics/diagnostic.ts';
import { bundleRuleMessage } from '../../../contract/diagnostics/messages/programs.ts';
import { insteadOf } from '../../../contract/names/suggestion.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { Manifest, ManifestComponent } from '../manifest/fields.ts';
import type { LibraryRegistry } from './libraries.ts';
import { findComponentFaults, selectComponents } from './select.ts';

/** Dependencies that no component of their environment is (documents.md §3); compiling refuses them. */
export function findDependencyFaults(
  { workflow, missions }: Manifest,
  libraries: LibraryRegistry,
): readonly LocatedFault[] {
  return [
    ...faultsOf(workflow.components, libraries, ['workflow']),
    ...[...missions].flatMap(([name, { components }]) => [...faultsOf(components, libraries, ['missions', name])]),
  ];
}

function* faultsOf(
  components: readonly ManifestComponent[],
  libraries: LibraryRegistry,
  at: readonly string[],
): Iterable<LocatedFault> {
  const [broken] = findComponentFaults(components, libraries, at);
  if (broken !== undefined) return;
  const ids = selectComponents(components, libraries).map((choice) =>
    choice.kind === 'local' ? choice.id : choice.library.id,
  );
  for (const [index, component] of components.entries()) {
    if (!('id' in component)) continue;
    const others = ids.filter((id) => id !== component.id);
    for (const [position, name] of component.dependencies.entries()) {
      if (ids.includes(name)) continue;
      const source = logicalSource('component', component.path);
      yield {
        diagnostic: diagnostic('bundle_invalid', { source, message: bundleRuleMessage('unknown_dependency') }),
        at: [...at, 'components', String(index), 'dependencies', String(position)],
        ...(libraries.has(name)
          ? { remedy: 'list the library among the components of this environment too' }
          : others.length === 0
            ? {}
            : { remedy: insteadOf(name, others) }),
      };
    }
  }
}
