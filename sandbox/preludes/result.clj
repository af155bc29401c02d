(ns result
  "Values that say whether something worked. Make one with result/ok or result/error, test it with result/ok?."
  {:visibility :prompt})

(defn ok
  "A success: {:ok true :value value}."
  {:signature "(value :any) -> {ok :bool, value :any}" :effect :read}
  [value]
  {:ok true :value value})

(defn error
  "A failure: {:ok false :kind kind :reason reason}. Nothing is raised."
  {:signature "(kind :any, reason :any) -> {ok :bool, kind :any, reason :any}" :effect :read}
  [kind reason]
  {:ok false :kind kind :reason reason})

(defn ok?
  "True only for a result whose :ok is exactly true."
  {:signature "(candidate :any) -> :bool" :effect :read}
  [candidate]
  (true? (:ok candidate)))
