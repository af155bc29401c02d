import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { requiredTools } from '../../contract/requirement.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { RunBroker } from '../calls/broker/broker.ts';
import type { Bundle } from '../application/preflight/bundles.ts';

/** What a call gives in a session that inspects only, and why a form that makes one ends (cli.md §11). */
export const INSPECT_ONLY = 'inspect_only_unavailable';

/** Name of the data that the two functions of the catalogue read. */
export const CATALOGUE = 'svc.components';

/** The source catalogue of a compiled bundle, as functions. */
export const CATALOGUE_PRELUDE = `
(defn components
  "The components of this bundle, each behind those that it depends on: id, dependencies, source_hash."
  []
  (mapv #(dissoc % "source") data/${CATALOGUE}))
(defn component
  "The component of this id with its source; nil without one."
  [id]
  (first (filter #(= id (get % "id")) data/${CATALOGUE})))`;

/** JSON text of what the catalogue knows of a bundle; null: one without components. */
export function renderBundleCatalogue(bundle: Bundle | null): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return canonicalJson(
    (bundle?.components ?? []).map(
      ({ id, dependencies, bytes, sourceHash }) =>
        new Map<string, JsonValue>([
          ['id', id],
          ['dependencies', dependencies],
          ['source_hash', sourceHash],
          ['source', decoder.decode(bytes)],
        ]),
    ),
  );
}

/** Names that a form may write: nobody answers them. */
export function inspectableTools(bundle: Bundle | null, environment: 'workflow' | 'mission'): readonly string[] {
  const routes = ROUTES.filter(
    ({ environments, isPrivate }) => !isPrivate && environments.some((name) => name === environment),
  ).map(({ name }) => name);
  return [...new Set([...routes, ...(bundle?.exports ?? []).flatMap(requiredTools)])];
}

/** A broker that answers nothing. `onCall` is called with every try. */
export function silentBroker(broker: RunBroker, onCall: () => void): RunBroker {
  return {
    ...broker,
    open: (evaluation) => ({
      ...broker.open(evaluation),
      call: async () => {
        onCall();
        return JSON.stringify({ reply: 'closed', reason: INSPECT_ONLY });
      },
    }),
  };
}
