(ns analysis
  "Evidence of earlier runs, in a session that analyses them. A refused query ends the program with `fail` of its
  envelope."
  {:visibility :prompt})

(defn runs
  "A page of runs, the latest first. opts: \"limit\", \"cursor\", \"view\" (summary or full) and filters such as
  \"status\", \"run_id\", \"tags\", \"from\" and \"to\"."
  {:signature "(opts :map) -> :map" :effect :read}
  [opts]
  (cap/unwrap! (tool/analysis-runs opts)))

(defn open
  "A run with its inspection, its result and the collections that can be read of it."
  {:signature "(run-id :string) -> :map" :effect :read}
  [run-id]
  (cap/unwrap! (tool/analysis-open {"run_id" run-id})))

(defn read
  "A page of a run's \"collection\", as opts name it. opts: \"limit\", \"cursor\" and the filters of that collection."
  {:signature "(run-id :string, opts :map) -> :map" :effect :read}
  [run-id opts]
  (cap/unwrap! (tool/analysis-read (assoc opts "run_id" run-id))))

(defn counters
  "Sums over the runs that filters choose: \"status\", \"run_id\", \"trace_id\", \"tags\", \"name\", \"bundle\",
  \"model\", \"provider\", \"from\", \"to\", \"mission_name\"."
  {:signature "(filters :map) -> :map" :effect :read}
  [filters]
  (cap/unwrap! (tool/analysis-counters filters)))
