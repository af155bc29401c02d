(ns kernel
  "Runs and checks programs in missions, and checks values against the contracts of the application. An operation that
  the kernel refuses gives its error envelope {:status :error :kind :reason} as a value, unless its text says `fail`."
  {:visibility :prompt})

(defn- succeeded? [reply]
  (contains? #{:ok "ok"} (:status reply)))

(defn- value-or-envelope [reply]
  (if (succeeded? reply) (:value reply) reply))

(defn eval
  "Evaluates (program ...) in a mission and gives the evaluation record; its outcome says how it ended."
  [mission program]
  (value-or-envelope (tool/kernel-eval {"mission" mission "kind" "embedded" "program" program})))

(defn eval-with
  "As kernel/eval; the program reads params, a JSON value, as data/params."
  [mission program params]
  (value-or-envelope (tool/kernel-eval {"mission" mission "kind" "embedded" "program" program "params" params})))

(defn eval-source
  "Evaluates program text in a mission and gives the evaluation record; its outcome says how it ended."
  [mission text]
  (value-or-envelope (tool/kernel-eval {"mission" mission "kind" "source" "source" text})))

(defn eval-source-with
  "As kernel/eval-source; the program reads params, a JSON value, as data/params."
  [mission text params]
  (value-or-envelope (tool/kernel-eval {"mission" mission "kind" "source" "source" text "params" params})))

(defn check-source
  "Compiles program text for a mission without running it; the outcome of the check record is valid, invalid,
  limit_exceeded, busy or stale."
  [mission text]
  (value-or-envelope (tool/kernel-check-source {"mission" mission "source" text})))

(defn check-terminal-source
  "As kernel/check-source, and valid only if the text is one top-level return or fail."
  [mission text]
  (value-or-envelope (tool/kernel-check-source {"mission" mission "source" text "require" "terminal"})))

(defn mission-inventory
  "Everything that programs of a mission can use, as JSON text."
  [mission]
  (value-or-envelope (tool/kernel-mission-inventory {"mission" mission})))

(defn mission-model-context
  "What a model may see of a mission, as JSON text; with the workspace of an agent loop, also of the data of that
  loop."
  ([mission] (value-or-envelope (tool/kernel-mission-model-context {"mission" mission})))
  ([mission workspace]
   (value-or-envelope (tool/kernel-mission-model-context {"mission" mission "workspace" workspace}))))

(defn- verdict [reply]
  (if (succeeded? reply)
    (let [verdict (:value reply) details (get verdict :details)]
      (cond-> {:enforced? (get verdict :enforced?) :valid? (get verdict :valid?)}
        (some? details) (assoc :details details)))
    (fail reply)))

(defn validate-result
  "Whether a value satisfies the result contract: {:enforced? :valid?}, with :details where it does not. A refusal of
  the kernel ends the program with `fail`."
  [value]
  (verdict (tool/kernel-result-contract {"value" value})))

(defn validate-phase-return
  "As kernel/validate-result, for the phase return contract of that name."
  [name value]
  (verdict (tool/kernel-result-contract {"phase_contract" name "value" value})))

(defn result-contract-presentation
  "The result contract as it is shown to a model; nil without one."
  []
  (value-or-envelope (tool/kernel-result-contract {"presentation" true})))

(defn phase-return-contract-presentation
  "The phase return contract of that name as it is shown to a model, or the envelope unknown_phase_return_contract."
  [name]
  (value-or-envelope (tool/kernel-result-contract {"phase_contract" name "presentation" true})))
