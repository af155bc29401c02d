import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { applicationRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { ApplicationRule } from '../../../contract/diagnostics/messages/documents.ts';
import { failure, success } from '../../../contract/outcome.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import type { ManifestComponent } from '../manifest/fields.ts';
import type { Library, LibraryRegistry } from './libraries.ts';

/** Components of one environment after its libraries brought theirs (documents.md §3). */
const MAX_COMPONENTS = 128;

/** Its id alone lets a component name the private routes, so no local component may bear it (agent-library.md §1, "Source"). */
const PRIVATE_ROUTES_OWNER = 'agent.core';

export type ComponentChoice =
  | { readonly kind: 'local'; readonly id: string; readonly path: string; readonly dependencies: readonly string[] }
  | { readonly kind: 'library'; readonly library: Library };

/**
 * The components of one environment: what it lists, and the libraries that listed libraries need, once each. The
 * order says nothing: compiling sorts by dependency.
 */
export function selectComponents(
  listed: readonly ManifestComponent[],
  registry: LibraryRegistry,
): Outcome<readonly ComponentChoice[]> {
  const libraries = new Map<string, Library>();
  for (const component of listed) {
    if ('library' in component && !expand(component.library, registry, libraries)) return failure(refused('library_unknown'));
  }
  const chosen: ComponentChoice[] = [...libraries.values()].map((library) => ({ kind: 'library', library }));
  for (const component of listed) {
    if (!('id' in component)) continue;
    if (libraries.has(component.id) || component.id === PRIVATE_ROUTES_OWNER) return failure(refused('component_reserved'));
    chosen.push({ kind: 'local', ...component });
  }
  return chosen.length > MAX_COMPONENTS ? failure(refused('too_many_components')) : success(chosen);
}

/** False for a library that is not in the registry. */
function expand(id: string, registry: LibraryRegistry, into: Map<string, Library>): boolean {
  if (into.has(id)) return true;
  const library = registry.get(id);
  if (library === undefined) return false;
  // Marked first, so that a cycle among shipped libraries ends here and is reported by the compiler.
  into.set(id, library);
  return library.dependencies.every((dependency) => expand(dependency, registry, into));
}

function refused(rule: ApplicationRule): Diagnostic {
  return diagnostic('schema_violation', { message: applicationRuleMessage(rule) });
}
