(ns budget
  "A request that costs more than the run may spend. It is refused before anything is sent: a millionth of a dollar
  reserves no answer. llm/request! fails with exactly the refusal, which ends the run as the limit that it is.")

(defn run
  "Asks, and fails with the answer that it gets."
  [{:keys [question]}]
  (:content (llm/request! {:messages [{:role "user" :content question}]})))
