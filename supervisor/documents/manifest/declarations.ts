import { diagnostic, fixedSource } from '../../../contract/diagnostics/diagnostic.ts';
import {
  applicationRuleMessage,
  missionProviderMessage,
  schemaRuleMessage,
  type ApplicationRule,
} from '../../../contract/diagnostics/messages/documents.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { didYouMean } from '../../../contract/names/suggestion.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { Manifest, ManifestComponent } from './fields.ts';

/** Listed components, and listed dependency edges, of workflow and missions together (documents.md §3). */
const MAX_LISTED_COMPONENTS = 128;
const MAX_LISTED_EDGES = 512;

/**
 * Rules of the manifest that its table of fields cannot say, without opening any file (documents.md §12.5): aggregate
 * counts, workflow, input declaration, providers, missions by name. The first is what a command reports.
 */
export function* declarationFaults(manifest: Manifest): Iterable<LocatedFault> {
  yield* countFaults(manifest);
  yield* componentFaults(manifest.workflow.components, '/workflow', ['workflow']);
  yield* inputFaults(manifest);
  yield* providerFaults(manifest);
  yield* missionFaults(manifest);
}

function refused(rule: ApplicationRule, path: string | null, at: readonly string[]): LocatedFault {
  return { diagnostic: diagnostic('schema_violation', { message: applicationRuleMessage(rule), path }), at };
}

function* countFaults(manifest: Manifest): Iterable<LocatedFault> {
  const listed = [manifest.workflow, ...manifest.missions.values()].flatMap(({ components }) => components);
  if (listed.length > MAX_LISTED_COMPONENTS) yield refused('too_many_components', '/missions', ['missions']);
  const edges = listed.reduce((sum, one) => sum + ('id' in one ? one.dependencies.length : 0), 0);
  if (edges > MAX_LISTED_EDGES) yield refused('too_many_dependencies', '/missions', ['missions']);
}

function* componentFaults(
  components: readonly ManifestComponent[],
  environment: string,
  at: readonly string[],
): Iterable<LocatedFault> {
  const libraries = new Set<string>();
  const locals = new Set<string>();
  for (const [index, component] of components.entries()) {
    const [seen, key, field] =
      'id' in component ? [locals, component.id, 'id'] : [libraries, component.library, 'library'];
    const place = [...at, 'components', String(index)];
    if (seen.has(key)) yield refused('component_duplicate', null, [...place, field]);
    seen.add(key);
    if ('id' in component && !isSorted(component.dependencies)) {
      yield refused('dependencies_unsorted', `${environment}/components/${index}/dependencies`, [
        ...place,
        'dependencies',
      ]);
    }
  }
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => {
    const before = names[index - 1];
    return before === undefined || compareUtf8(before, name) < 0;
  });
}

function* inputFaults({ input }: Manifest): Iterable<LocatedFault> {
  if (!('value' in input) || isJsonObject(input.value)) return;
  yield {
    diagnostic: diagnostic('input_invalid', { source: fixedSource('application'), path: '/input/value' }),
    at: ['input', 'value'],
  };
}

function* providerFaults({ providers }: Manifest): Iterable<LocatedFault> {
  for (const destination of ['workflow', 'mission'] as const) {
    const names = providers[destination].map(({ name }) => name);
    const again = names.findIndex((name, index) => names.indexOf(name) < index);
    if (again === -1) continue;
    const message = schemaRuleMessage('application', 'unique_items');
    yield {
      diagnostic: diagnostic('schema_violation', { message, path: `/providers/${destination}` }),
      at: ['providers', destination, String(again), 'name'],
      problem: 'a provider is selected twice',
      remedy: 'select each provider once in one list',
    };
  }
}

function* missionFaults({ missions, providers }: Manifest): Iterable<LocatedFault> {
  const declared = providers.mission.map(({ name }) => name);
  for (const [mission, { components, providers: named }] of missions) {
    yield* componentFaults(components, '/missions/*', ['missions', mission]);
    const seen = new Set<string>();
    for (const [index, name] of named.entries()) {
      const code = seen.has(name) ? 'duplicate_mission_provider' : 'unknown_mission_provider';
      if (seen.has(name) || !declared.includes(name))
        yield missionProviderFault(code, name, ['missions', mission, 'providers', String(index)], declared);
      seen.add(name);
    }
  }
}

function missionProviderFault(
  code: 'unknown_mission_provider' | 'duplicate_mission_provider',
  name: string,
  at: readonly string[],
  declared: readonly string[],
): LocatedFault {
  const near = code === 'unknown_mission_provider' ? didYouMean(name, declared) : null;
  return {
    diagnostic: diagnostic(code, { message: missionProviderMessage(code, name), path: '/missions/*/providers' }),
    at,
    ...(near === null ? {} : { remedy: near }),
  };
}
