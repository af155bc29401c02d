(ns agent.failover
  "One agent loop after the other, each with another model, where the one before failed as a provider."
  {:visibility :prompt})

(defn- word [value]
  (when (or (keyword? value) (string? value))
    (clojure.string/replace (name value) "-" "_")))

(defn- field [record key]
  (or (get record key) (get record (name key))))

(defn- alias-failure?
  "Whether another model can help: a failure of this one, or its own max_calls. Quotas and budgets of the run are
  everybody's."
  [outcome]
  (let [error (field outcome :error)]
    (and (= "provider_failure" (word (field outcome :status)))
         (or (agent.failure/classify error)
             (and (= "capability_quota" (word (field error :reason)))
                  (= "max_calls" (word (field (field error :details) :limit))))))))

(defn- missions [cfg]
  (let [phases (field cfg :phases)]
    (if (sequential? phases) (map #(field % :mission) phases) [(or (field cfg :mission) "default")])))

(defn- read-tools
  "Names of tools that are known to change nothing; one that is not shown to models is not among them."
  [mission]
  (let [inventory (kernel/mission-inventory mission)]
    (when (string? inventory)
      (for [tool (get (json/parse-string inventory) "capabilities") :when (= "read" (get tool "effect"))]
        (get tool "name")))))

(defn- writes
  "Calls of missions so far that may have changed something."
  [cfg]
  (let [harmless (set (map #(str "mission/" %) (mapcat read-tools (distinct (missions cfg)))))]
    (reduce + (for [[tool calls] (field (runtime/usage) :capability_calls)
                    :let [tool (if (keyword? tool) (subs (str tool) 1) tool)]
                    :when (and (clojure.string/starts-with? tool "mission/") (not (contains? harmless tool)))]
                calls))))

(defn run-outcome
  "agent.core/run-outcome with the first of the model aliases; after a failure of that model a new loop with the next
  one, and so on. Gives the last outcome. No other failure is tried again, and none after a call of a mission that may
  have changed something: that outcome is given back as it is."
  {:signature "(task :string, cfg :map, aliases [:string]) -> :any"}
  [task cfg aliases]
  (loop [left (seq aliases)]
    (let [before (writes cfg)
          outcome (agent.core/run-outcome task (assoc cfg "model" (first left)))]
      (if (and (next left) (alias-failure? outcome) (= before (writes cfg)))
        (recur (next left))
        outcome))))
