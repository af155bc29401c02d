import { diagnostic, fixedSource } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { applicationRuleMessage, missionProviderMessage, schemaRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { ApplicationRule } from '../../../contract/diagnostics/messages/documents.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { Manifest, ManifestComponent } from './fields.ts';

/** Listed components, and listed dependency edges, of workflow and missions together (documents.md §3). */
const MAX_LISTED_COMPONENTS = 128;
const MAX_LISTED_EDGES = 512;

/**
 * Rules of the manifest that its table of fields cannot say, without opening any file (documents.md §12.5):
 * aggregate counts, workflow, input declaration, providers, missions by name.
 */
export function checkDeclarations(manifest: Manifest): Diagnostic | null {
  return (
    checkCounts(manifest) ??
    checkComponents(manifest.workflow.components, '/workflow') ??
    checkInput(manifest) ??
    checkProviders(manifest) ??
    checkMissions(manifest)
  );
}

function refused(rule: ApplicationRule, path: string | null): Diagnostic {
  return diagnostic('schema_violation', { message: applicationRuleMessage(rule), path });
}

function checkCounts(manifest: Manifest): Diagnostic | null {
  const listed = [manifest.workflow, ...manifest.missions.values()].flatMap(({ components }) => components);
  if (listed.length > MAX_LISTED_COMPONENTS) return refused('too_many_components', '/missions');
  const edges = listed.reduce((sum, one) => sum + ('id' in one ? one.dependencies.length : 0), 0);
  return edges > MAX_LISTED_EDGES ? refused('too_many_dependencies', '/missions') : null;
}

function checkComponents(components: readonly ManifestComponent[], environment: string): Diagnostic | null {
  const libraries = new Set<string>();
  const locals = new Set<string>();
  for (const [index, component] of components.entries()) {
    const [seen, key] = 'id' in component ? [locals, component.id] : [libraries, component.library];
    if (seen.has(key)) return refused('component_duplicate', null);
    seen.add(key);
    if ('id' in component && !isSorted(component.dependencies)) {
      return refused('dependencies_unsorted', `${environment}/components/${index}/dependencies`);
    }
  }
  return null;
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => {
    const before = names[index - 1];
    return before === undefined || compareUtf8(before, name) < 0;
  });
}

function checkInput({ input }: Manifest): Diagnostic | null {
  if (!('value' in input) || isJsonObject(input.value)) return null;
  return diagnostic('input_invalid', { source: fixedSource('application'), path: '/input/value' });
}

function checkProviders({ providers }: Manifest): Diagnostic | null {
  for (const destination of ['workflow', 'mission'] as const) {
    const names = providers[destination].map(({ name }) => name);
    if (new Set(names).size < names.length) {
      return diagnostic('schema_violation', {
        message: schemaRuleMessage('application', 'unique_items'),
        path: `/providers/${destination}`,
      });
    }
  }
  return null;
}

function checkMissions({ missions, providers }: Manifest): Diagnostic | null {
  const declared = new Set(providers.mission.map(({ name }) => name));
  for (const mission of missions.values()) {
    const components = checkComponents(mission.components, '/missions/*');
    if (components !== null) return components;
    const seen = new Set<string>();
    for (const name of mission.providers) {
      const code = seen.has(name) ? 'duplicate_mission_provider' : 'unknown_mission_provider';
      if (seen.has(name) || !declared.has(name)) {
        return diagnostic(code, { message: missionProviderMessage(code, name), path: '/missions/*/providers' });
      }
      seen.add(name);
    }
  }
  return null;
}
