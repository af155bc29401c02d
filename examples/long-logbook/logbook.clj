(ns logbook
  "One agent that reads a long book, a page in each turn, and keeps the account in definitions of its own. What it said and
  saw long ago is dropped from the conversation; what it defined stays.")

(def ^:private task
  "data/days are the entries of a harbour's logbook, written by hand. Read one in each turn, and keep the number of ships that came in and that left in definitions. After the last one return {\"days\" the number of entries, \"came\" and \"left\" the sums}.")

(defn run
  "The account of the whole book."
  [{:keys [days]}]
  (agent.core/run-value task
                        {"mission" "reading"
                         "data" {"days" days}
                         "return_contract" "account"
                         "max_turns" 120
                         "compact_at_tokens" 3000}))
