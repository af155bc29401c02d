(ns refunds
  "An agent that looks for tickets of one kind.")

(defn run
  "Asks a model for a program that finds the tickets, and gives their ids."
  {:effect :read}
  [input]
  (let [found (agent.core/run-value
               (str "Which tickets ask for a " (get input "kind") "? Return {:ids [...]} with their ids, in the order in which they stand.")
               {"max_turns" 3 "return_contract" "ids"})]
    {"ticket_ids" (:ids found)}))
