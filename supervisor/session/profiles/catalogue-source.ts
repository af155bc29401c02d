/** Id of the one component of the catalogue that is no library for applications. */
export const CATALOGUE_COMPONENT = 'analysis.catalog';

const SOURCE = `(ns analysis
  "What there is of earlier runs, by the heads and tails of their files. A refused query ends the program with
  \`fail\` of its envelope."
  {:visibility :prompt})

(defn catalog
  "A page of the catalogue. query: \\"limit\\", \\"cursor\\" and filters, such as \\"run_id\\", \\"status\\",
  \\"correlation\\" and \\"state\\"."
  {:signature "(query :map) -> :map" :effect :read}
  [query]
  (cap/unwrap! (tool/analysis-catalog query)))
`;

export function catalogueSource(): Uint8Array {
  return new TextEncoder().encode(SOURCE);
}
