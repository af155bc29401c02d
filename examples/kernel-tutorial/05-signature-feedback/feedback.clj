(ns feedback
  "What a model is shown when it calls a function wrongly. Two programs take the place of its answers, so that no model is asked.")

(defn- shown
  "How an evaluation ended: its outcome, and the value or what its failure is called."
  [{:keys [outcome value kind reason]}]
  (cond-> {:outcome outcome}
    (some? value)  (assoc :value value)
    (some? kind)   (assoc :kind kind)
    (some? reason) (assoc :reason reason)))

(defn run
  "A wrong call, what the agent loop would tell the model of it, and the call as the model would correct it."
  [{:keys [mission]}]
  (let [invalid   (kernel/eval mission (program (return (prices/total "6" 7))))
        corrected (kernel/eval mission (program (return (prices/total 6 7))))]
    {:invalid_evaluation   (shown invalid)
     :model_feedback       (agent.feedback/evaluation-error invalid)
     :corrected_evaluation (shown corrected)}))
