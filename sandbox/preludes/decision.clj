(ns decision
  "Requests to decision models, which answer questions of a fixed form."
  {:visibility :prompt})

(defn request
  "Sends a state and its questions, {\"state\" text \"questions\" {name {\"type\" \"boolean\", \"choice\" or \"score\"
  \"instructions\" text}}}, and gives {\"model\" \"answers\" \"usage\"}, or, as a value that nothing raises, the error envelope
  {:status :error :kind :reason :retryable?}: test :status before anything else is read of it."
  [request]
  (let [reply (tool/decision-request request)]
    (if (contains? #{:ok "ok"} (:status reply)) (:value reply) reply)))
