import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { applicationRuleMessage, type ApplicationRule } from '../../../contract/diagnostics/messages/documents.ts';
import { insteadOf } from '../../../contract/names/suggestion.ts';
import { PRIVATE_ROUTES_OWNER } from '../../../contract/routes.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { ManifestComponent } from '../manifest/fields.ts';
import type { Library, LibraryRegistry } from './libraries.ts';

/** Components of one environment after its libraries brought theirs (documents.md §3). */
const MAX_COMPONENTS = 128;

export type ComponentChoice =
  | {
      readonly kind: 'local';
      /** Position in the list. */
      readonly index: number;
      readonly id: string;
      readonly path: string;
      readonly dependencies: readonly string[];
    }
  | { readonly kind: 'library'; readonly library: Library };

/**
 * The components of one environment: what it lists, and the libraries that listed libraries need, once each, as far as
 * they are known. The order says nothing: compiling sorts by dependency.
 */
export function selectComponents(
  listed: readonly ManifestComponent[],
  registry: LibraryRegistry,
): readonly ComponentChoice[] {
  const chosen: ComponentChoice[] = [...librariesOf(listed, registry).values()].map((library) => ({
    kind: 'library',
    library,
  }));
  for (const [index, component] of listed.entries())
    if ('id' in component) chosen.push({ kind: 'local', index, ...component });
  return chosen;
}

/** Why an environment's list cannot be selected; `at` leads to the environment. The first is what a command reports. */
export function* findComponentFaults(
  listed: readonly ManifestComponent[],
  registry: LibraryRegistry,
  at: readonly string[],
): Iterable<LocatedFault> {
  for (const [index, component] of listed.entries()) {
    if (!('library' in component) || registry.has(component.library)) continue;
    yield refused(
      'library_unknown',
      [...at, 'components', String(index), 'library'],
      insteadOf(component.library, [...registry.keys()]),
    );
  }
  const libraries = librariesOf(listed, registry);
  for (const [index, component] of listed.entries()) {
    // The id of the owner of the private routes alone lets a component name them.
    if (!('id' in component) || !(libraries.has(component.id) || component.id === PRIVATE_ROUTES_OWNER)) continue;
    yield refused('component_reserved', [...at, 'components', String(index), 'id']);
  }
  const locals = listed.filter((component) => 'id' in component).length;
  if (libraries.size + locals > MAX_COMPONENTS) yield refused('too_many_components', [...at, 'components']);
}

/** Those that are listed and known, and those that they need. */
function librariesOf(listed: readonly ManifestComponent[], registry: LibraryRegistry): ReadonlyMap<string, Library> {
  const libraries = new Map<string, Library>();
  for (const component of listed) if ('library' in component) expand(component.library, registry, libraries);
  return libraries;
}

function expand(id: string, registry: LibraryRegistry, into: Map<string, Library>): void {
  const library = registry.get(id);
  if (library === undefined || into.has(id)) return;
  // Marked first, so that a cycle among shipped libraries ends here and is reported by the compiler.
  into.set(id, library);
  for (const dependency of library.dependencies) expand(dependency, registry, into);
}

function refused(rule: ApplicationRule, at: readonly string[], remedy?: string): LocatedFault {
  return {
    diagnostic: diagnostic('schema_violation', { message: applicationRuleMessage(rule) }),
    at,
    ...(remedy === undefined ? {} : { remedy }),
  };
}
