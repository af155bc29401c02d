(ns agent.failure
  "Which failures of a model call a workflow can decide about, and which end it."
  {:visibility :discoverable})

(def ^:private recoverable
  "Kinds of error envelopes, each with the reasons that are a fact about a provider or an alias and not a fault of the
  workflow."
  {"provider_error" #{"admission_unavailable" "capacity_exhausted" "denied" "not_found" "unavailable" "invalid_request"
                      "internal" "domain_error" "invalid_result" "authentication_failed" "payment_required"
                      "rate_limited" "tool_calling_unsupported" "usage_unavailable" "timeout" "transport_error"
                      "structured_output_unsupported" "reservation_bound_exceeded"}
   "protocol_error" #{"unknown_model_alias" "invalid_model_alias" "model_alias_required"}
   "timeout" #{"provider_timeout" "llm_request_timeout"}})

(defn- word
  "A word of an envelope as text with underscores; nil for what is no word."
  [value]
  (when (or (keyword? value) (string? value))
    (clojure.string/replace (name value) "-" "_")))

(defn classify
  "True if an error envelope is a failure that a loop hands back as data; false if it ends the workflow."
  {:signature "(error :any) -> :bool" :effect :read}
  [error]
  (and (map? error)
       (contains? (get recoverable (word (:kind error)) #{}) (word (:reason error)))))
