(ns fan
  "Twelve requests side by side, then one over their answers. pmap keeps the order of what it is given.")

(defn- ask
  "The text that a model answers with; a request that fails ends the run."
  [content]
  (:content (llm/request! {:system   "Answer in one short sentence."
                           :messages [{:role "user" :content content}]})))

(defn- describe [topic]
  {:topic topic :answer (ask (str "What are " topic " good for?"))})

(defn run
  "An answer for each topic, and a summary of them."
  [{:keys [topics]}]
  (let [answers (vec (pmap describe topics))]
    {:answers answers
     :summary (ask (str "Summarise:\n" (clojure.string/join "\n" (map :answer answers))))}))
