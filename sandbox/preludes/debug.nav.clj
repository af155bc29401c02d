(ns debug.nav
  "Evidence of earlier runs, from a snapshot that is installed as debug.nav: find a run, open it, read its collections,
  follow the relationships of what was read. A refused query ends the program with `fail` of its envelope."
  {:visibility :prompt})

(defn runs
  "A page of runs, the latest first. options: \"limit\", \"cursor\", \"view\" (summary or full) and filters such as
  \"status\", \"run_id\", \"tags\", \"from\" and \"to\"."
  {:signature "(options :map) -> :map" :effect :read}
  [options]
  (cap/unwrap! (tool/debug.nav.runs options)))

(defn open
  "A run with its inspection, its result and the collections that can be read of it."
  {:signature "(run-id :string) -> :map" :effect :read}
  [run-id]
  (cap/unwrap! (tool/debug.nav.open {"run_id" run-id})))

(defn read
  "A page of a run's \"collection\", as options name it. options: \"limit\", \"cursor\" and the filters of that
  collection."
  {:signature "(run-id :string, options :map) -> :map" :effect :read}
  [run-id options]
  (cap/unwrap! (tool/debug.nav.read (assoc options "run_id" run-id))))

(defn counters
  "Sums over the runs that filters choose, named as those of debug.nav/runs, and \"mission_name\"."
  {:signature "(filters :map) -> :map" :effect :read}
  [filters]
  (cap/unwrap! (tool/debug.nav.counters filters)))

(defn- refuse [reason]
  (fail {:kind :invalid-request :reason reason}))

(defn- plain-keys [options]
  (update-keys options (fn [key] (if (keyword? key) (name key) key))))

(defn follow
  "The page that a relationship of an item leads to, as {\"relationship\" r \"page\" page}. A relationship whose state
  is unavailable, or that has no filters, leads nowhere and ends the program with `fail`. options: \"limit\" and
  \"cursor\" alone."
  {:signature "(run-id :string, relationship :map, options :map) -> :map" :effect :read}
  [run-id relationship options]
  (let [{:keys [state filters target-collection]} relationship given (plain-keys options)]
    (cond
      (not (every? #{"limit" "cursor"} (keys given))) (refuse :invalid-options)
      (= "unavailable" state) (refuse :relationship-unavailable)
      (not (map? filters)) (refuse :invalid-filters)
      (not (string? target-collection)) (refuse :invalid-target-collection)
      :else {"relationship" relationship
             "page" (read run-id (merge (plain-keys filters) given {"collection" target-collection}))})))
