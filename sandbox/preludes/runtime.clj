(ns runtime
  "How much of the run's time and limits is spent."
  {:visibility :prompt})

(defn usage
  "A snapshot of the run's counters, as its envelope will show them, and whether the run is closed or a mission is
  busy."
  []
  (tool/runtime-usage {}))

(defn remaining
  "Milliseconds until the deadline of the run."
  []
  (tool/runtime-remaining {}))
