import type { ModelFacts } from '../../../contract/provider-protocol/model.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Capability, Routing } from '../../calls/broker/capability.ts';
import type { RoutedForm } from './routed-forms.ts';

/** A selected and opened model. */
export interface SelectedModel {
  readonly alias: string;
  readonly revision: string;
  /** At most one of a run is. */
  readonly isDefault: boolean;
  readonly facts: ModelFacts;
  /** Its own, which nobody can name but by the alias. */
  readonly capability: Capability;
}

/**
 * The one capability of all models of a run that are asked in one form; `model` of a request names an alias
 * (providers.md §5.3).
 */
export function routedModels(form: RoutedForm, models: readonly SelectedModel[]): Capability {
  const [first] = models;
  if (first === undefined) throw new TypeError('a run without a model has no such capability');
  const byAlias = new Map(models.map((model) => [model.alias, model]));
  const standard = models.length === 1 ? first : (models.find(({ isDefault }) => isDefault) ?? null);
  const most = (bound: 'timeoutMs' | 'argumentBytes' | 'resultBytes'): number =>
    Math.max(...models.map(({ capability }) => capability[bound]));
  return {
    ...first.capability,
    name: form.name,
    timeoutMs: most('timeoutMs'),
    argumentBytes: Number.MAX_SAFE_INTEGER,
    resultBytes: most('resultBytes'),
    checkArguments: async (input) => form.check(input.value),
    accepts: () => true,
    route: (request) => route(request, form, { byAlias, standard }),
  };
}

interface Models {
  readonly byAlias: ReadonlyMap<string, SelectedModel>;
  /** Meant where none is named. */
  readonly standard: SelectedModel | null;
}

function route(request: SerializedJson<JsonObject>, { target }: RoutedForm, { byAlias, standard }: Models): Routing {
  const { named, given } = withoutAlias(request);
  if (named !== undefined && typeof named !== 'string') return { ok: false, reason: 'invalid_model_alias' };
  const model = named === undefined ? standard : (byAlias.get(named) ?? null);
  if (model === null)
    return { ok: false, reason: named === undefined ? 'model_alias_required' : 'unknown_model_alias' };
  const { alias, revision, facts, capability } = model;
  return {
    ok: true,
    target: target(capability, given),
    request: given,
    model: { ...facts, alias, installationRevision: revision },
  };
}

function withoutAlias(request: SerializedJson<JsonObject>) {
  const named = request.value.get('model');
  if (named === undefined) return { named, given: request };
  const withoutModel = new Map(request.value);
  withoutModel.delete('model');
  return { named, given: SerializedJson.of<JsonObject>(withoutModel) };
}
