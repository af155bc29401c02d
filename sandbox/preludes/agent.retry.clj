(ns agent.retry
  "Arithmetic of turns and pauses, for workflows that try again by themselves."
  {:visibility :prompt})

(defn retry?
  "True while another turn is left after this one; turns count from 0, and max is how many there are."
  {:signature "(turn :int, max :int) -> :bool" :effect :read}
  [turn max]
  (< (inc turn) max))

(defn backoff-ms
  "Milliseconds to wait after this turn: \"retry_backoff_ms\" of cfg (0) for each turn started so far, at most
  \"retry_backoff_max_ms\" (without it, never more than once the base)."
  {:signature "(turn :int, cfg :map) -> :int" :effect :read}
  [turn cfg]
  (let [base (or (get cfg :retry-backoff-ms) 0)
        ceiling (or (get cfg :retry-backoff-max-ms) base)]
    (min ceiling (* base (inc turn)))))
