(ns workflow
  "One question to a model whose answer is frozen in replay.jsonl: no network, no key, the same answer every time.")

(def model
  "The alias that the host installs. It is no part of what the answer is found by."
  "frozen-model")

(defn run
  "Asks for a release note. llm/request! ends the run where there is no answer."
  [{:keys [change]}]
  (let [answer (llm/request! {:model    model
                              :system   "You write release notes. One sentence, present tense."
                              :messages [{:role "user" :content (str "Describe this change: " change)}]})]
    {:content (:content answer) :model model}))
