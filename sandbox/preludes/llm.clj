(ns llm
  "Requests to models."
  {:visibility :prompt})

(defn request
  "Sends one request to a model and gives its answer, or, as a value that nothing raises, the error envelope
  {:status :error :kind :reason :retryable?}: test :status before anything else is read of it. Without \"model\" the
  only installed model is asked, else the default one; the other keys are \"system\", \"messages\", \"tools\",
  \"schema\", \"cache\"."
  [request]
  (let [reply (tool/llm-request request)]
    (if (contains? #{:ok "ok"} (:status reply)) (:value reply) reply)))

(defn request!
  "Sends one request to a model and gives its answer, as request does. An error ends the run with the error envelope as
  its failure, so that a person reads what the model's provider said of it."
  [request]
  (let [reply (tool/llm-request request)]
    (if (contains? #{:ok "ok"} (:status reply)) (:value reply) (fail reply))))
