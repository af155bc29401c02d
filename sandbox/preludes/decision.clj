(ns decision
  "Requests to decision models, which answer questions of a fixed form."
  {:visibility :prompt})

(defn request
  "Sends a state and its questions, {\"state\" any value \"questions\" {name {\"type\" \"boolean\", \"choice\" or
  \"score\" \"instructions\" text \"criteria\" text, of a choice {option text}}}}, and gives {\"model\" \"answers\"
  \"usage\"}: an answer is a number from 0 to 1, of a choice one option. Otherwise it gives, as a value that nothing
  raises, the error envelope {:status :error :kind :reason :retryable?}: test :status before anything else is read of
  it."
  [request]
  (let [reply (tool/decision-request request)]
    (if (contains? #{:ok "ok"} (:status reply)) (:value reply) reply)))
