(ns agent.machine
  "The agent loop as a pure function: start gives a machine and its first command; advance takes the machine and the
  event that followed and gives the next. Nothing here asks a model, runs a program or ends anything: who drives the
  machine does, and can be a test. A step is {:machine m :command c}; commands differ by :do.

  :request   ask the model with :messages and :prompt     -> {:event :answered :action action}, of
             agent.native/normalize; with :text? true without a tool, and of agent.native/normalize-text
  :check     check :program of :mission, one terminal form -> {:event :checked :check record}
  :evaluate  run :program in :mission                      -> {:event :evaluated :record record}
  :validate  hold :value to the contract :name, or, without, to the result contract -> {:event :validated :validation v}
  :verify    ask the workflow's own check about :candidate -> {:event :verified :report report}
  :summarise say what the dropped :turns did              -> {:event :summarised :text text}
  :done      the loop ended with :outcome
  :abort     the workflow ends; :cause says why"
  {:visibility :discoverable})

;; What a step works on: the machine holds {:context :phase :phase-turn :turn :messages :prompt :closing? :safe?
;; :rejections :programs :omitted :counts :awaiting :text?}, and while a turn is under way :action, :record and :value.

(def ^:private program-bytes 2000000)
(def ^:private narration-characters 2000)
(def ^:private execution-characters 2048)

(defn- word [value]
  (when (or (keyword? value) (string? value)) (name value)))

(defn- step [machine command]
  {:machine (assoc machine :awaiting (:do command)) :command command})

(defn- abort [machine cause facts]
  (step machine (assoc facts :do :abort :cause cause)))

(defn- give-up
  "Ends the workflow with a plain failure."
  [machine error]
  (abort machine :failed {:error error}))

(defn- phases [machine]
  (:phases (:context machine)))

(defn- current [machine]
  (nth (phases machine) (:phase machine)))

(defn- last-phase? [machine]
  (= (inc (:phase machine)) (count (phases machine))))

(defn- turns-left
  "Turns of the phase that are left, the next one included."
  [machine]
  (- (:max-turns (current machine)) (:phase-turn machine)))

(defn- budget [machine]
  (let [threshold (:threshold (:context machine))]
    (if (last-phase? machine)
      (agent.feedback/turn-budget (turns-left machine) threshold)
      (agent.feedback/phase-budget (turns-left machine) threshold (some? (:return-contract (current machine)))))))

;; Outcomes

(defn- retained
  "The programs of an outcome, where they are kept: whole entries, the newest within their count and bytes."
  [machine]
  (if (nil? (:retain (:context machine)))
    {}
    {:programs (mapv (fn [entry] (dissoc entry :bytes)) (:programs machine))
     :programs-omitted (:omitted machine)}))

(defn- done [machine outcome]
  (step machine {:do :done :outcome (merge outcome (retained machine))}))

(defn- subject-failure [machine kind reason more]
  (done machine {:status :subject-failure :kind kind :error (merge {:ok false :kind kind :reason reason} more)}))

(defn- total-turns [machine]
  (reduce + (map :max-turns (phases machine))))

(defn- turn-limit [machine reason]
  (let [outcome {:status :subject-failure
                 :kind :turn-limit
                 :error {:ok false
                         :kind :turn-limit
                         :reason reason
                         :limit :agent_turns
                         :limit_value (total-turns machine)}}
        evaluation (when (= :evaluation-error reason) (:evaluation-id (:record machine)))
        told (if (:count-turns? (:context machine)) (assoc-in outcome [:error :turn_counts] (:counts machine)) outcome)]
    (step machine (cond-> {:do :done :outcome (merge told (retained machine)) :proves :turns}
                    (some? evaluation) (assoc :evaluation-id evaluation)))))

(defn- remember
  "Adds an admitted program to those that an outcome shows."
  [machine execution]
  (let [{:keys [record action context]} machine retain (:retain context)]
    (if (or (nil? retain) (not (true? (:admitted? record))))
      machine
      (let [entry {:turn (inc (:turn machine))
                   :mission (:mission (current machine))
                   :source (:program action)
                   :execution execution
                   :bytes (or (:source-bytes record) (* 4 (count (:program action))))}]
        (loop [kept (conj (:programs machine) entry) omitted (:omitted machine)]
          (if (or (> (count kept) retain) (> (reduce + (map :bytes kept)) program-bytes))
            (recur (vec (rest kept)) (inc omitted))
            (assoc machine :programs kept :omitted omitted)))))))

(defn- plain-word
  "A word of a record if it reads as one; nil otherwise."
  [value]
  (let [text (word value)]
    (when (and text (re-matches #"[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}" text)) text)))

(defn- shortened [text]
  (subs text 0 (min execution-characters (count text))))

(defn- execution
  "What became of a program, in the words of its record."
  [record]
  (let [outcome (word (:outcome record))
        shown (or (:observation record) "")
        message (:message (:details record))]
    (case outcome
      "continued" {:outcome outcome
                   :observation (shortened shown)
                   :observation-truncated?
                   (or (true? (:truncated? (:preview record))) (> (count shown) execution-characters))}
      "returned" {:outcome outcome}
      (cond-> {:outcome outcome}
        (plain-word (:kind record)) (assoc :kind (plain-word (:kind record)))
        (plain-word (:reason record)) (assoc :reason (plain-word (:reason record)))
        (boolean? (:retryable? record)) (assoc :retryable? (:retryable? record))
        (string? message) (assoc :message (shortened message))))))

;; Turns

(defn- ask-now [machine]
  (let [{:keys [messages prompt context]} machine every (:compact-every context)]
    (step (dissoc machine :action :record :value)
          (cond-> {:do :request :messages (if every (agent.feedback/compacted messages every) messages) :prompt prompt}
            (:text? machine) (assoc :text? true)))))

(defn- summarised
  "The machine whose first message says what the dropped turns did."
  [machine text]
  (let [{:keys [opening kept context]} machine]
    (-> machine
        (dissoc :kept)
        (assoc :messages
               (into [{"role" "user" "content" (agent.feedback/with-summary opening text (:compact-at context))}]
                     kept)))))

(defn- ask
  "The next request; old turns are dropped before it where the conversation takes more than it may."
  [machine]
  (let [{:keys [messages context dropped]} machine
        {:keys [compact-at summarise?]} context
        cut (when compact-at (agent.feedback/outgrown messages compact-at))]
    (if (nil? cut)
      (ask-now machine)
      (let [turns (into (or dropped []) (:dropped cut))
            cut-machine (assoc machine :kept (:kept cut) :dropped turns)]
        (if summarise?
          (step cut-machine {:do :summarise :turns turns})
          (ask-now (summarised cut-machine (agent.feedback/summary turns compact-at))))))))

(defn- on-summary [machine {:keys [text]}]
  (ask-now (summarised machine text)))

(defn- mode
  "How a model gives its programs, in the words of agent.feedback."
  [machine]
  (if (:text? machine) :text :call))

(defn- cut-narration [text]
  (if (> (count text) narration-characters)
    (let [mark " ... (cut)"] (str (subs text 0 (- narration-characters (count mark))) mark))
    text))

(defn- filled? [text]
  (and (string? text) (not (clojure.string/blank? text))))

(defn- shown-text [machine text]
  (if (:fence-ids? (:context machine)) (agent.feedback/with-fence-ids text) text))

(defn- answer-text
  "The answer as it was given, and what is said to its program."
  [machine text]
  (let [{:keys [narration continuation]} (:action machine)]
    (update machine :messages conj
            (cond-> {"role" "assistant" "content" narration}
              (string? continuation) (assoc "continuation" continuation))
            {"role" "user" "content" (shown-text machine text)})))

(defn- answer-call
  "The call as it was made, and what is said to it."
  [machine narration text]
  (let [{:keys [id call continuation]} (:action machine)
        told (shown-text machine text)]
    (update machine :messages conj
            (cond-> {"role" "assistant" "content" narration "tool_calls" [call]}
              (string? continuation) (assoc "continuation" continuation))
            {"role" "tool" "tool_call_id" id "content" told})))

(defn- say
  "Appends what a turn is shown: to the call that was made, or as the user where there was none that could be kept."
  [machine text]
  (let [{:keys [kind reason narration]} (:action machine)]
    (cond
      (and (= :tool-call kind) (:text? machine)) (answer-text machine text)
      (= :tool-call kind) (answer-call machine (when (string? narration) narration) text)
      (and (= :program-too-large reason) (not (:text? machine)))
      (answer-call machine (when (filled? narration) (cut-narration narration)) text)
      :else (update machine :messages into
                    (remove nil?
                            [(when (filled? narration) {"role" "assistant" "content" (cut-narration narration)})
                             {"role" "user" "content" text}])))))

(defn- begin-phase
  "The machine at the first turn of a phase; nil where the prompt policy gives no state for it."
  [machine index]
  (let [phase (nth (phases machine) index)
        prompt (agent.prompt/initial-state (:prompt phase))]
    (when (map? prompt)
      (assoc machine :phase index :phase-turn 0 :prompt prompt))))

(defn- bad-prompt [machine reason]
  (give-up machine {:kind :invalid-prompt :reason reason}))

(defn- counted
  "The machine with one more turn that came to this."
  [machine type]
  (update-in machine [:counts type] (fnil inc 0)))

(defn- hand-over
  "To the next phase; what the last program came to is said without a budget."
  [machine text]
  (let [told (update (say machine text) :turn inc)
        following (begin-phase told (inc (:phase machine)))]
    (if (nil? following)
      (bad-prompt machine :invalid-initial-state)
      (let [{:keys [mission instruction]} (current following)
            opening (str (agent.feedback/transition mission instruction) "\n\n" (budget following))]
        (ask (update following :messages conj {"role" "user" "content" opening}))))))

(defn- next-turn
  "Another turn of the same phase. `message-of` makes its message from the budget."
  [machine type message-of]
  (let [moved (-> machine (update :turn inc) (update :phase-turn inc))
        prompt (agent.prompt/transition (:prompt machine)
                                        {:type type :turn (:turn machine) :turns-remaining (turns-left moved)})]
    (if (map? prompt)
      (ask (assoc (say moved (message-of (budget moved))) :prompt prompt))
      (bad-prompt machine :invalid-transition))))

(defn- turn-left? [machine]
  (> (turns-left machine) 1))

(defn- missing-return [machine]
  (let [{:keys [mission return-contract max-turns]} (current machine)]
    (abort machine :phase-contract
           {:facts {:completion :missing-return
                    :phase-index (:phase machine)
                    :mission mission
                    :contract return-contract
                    :max-turns max-turns
                    :mode :phased}})))

(defn- go-on
  "C of the transition table: another turn, or the next phase, or, where neither is possible, what `end` makes of the
  machine. In a phase that must end with a valid return, running out of turns is a failure of the phase."
  [machine type text end]
  (let [machine (counted machine type)
        contract? (and (not (last-phase? machine)) (some? (:return-contract (current machine))))]
    (cond
      (turn-left? machine) (next-turn machine type (fn [budget] (str text "\n\n" budget)))
      contract? (let [ended (end machine)]
                  (if (= :turns (:proves (:command ended))) (missing-return machine) ended))
      (not (last-phase? machine)) (hand-over machine text)
      :else (end machine))))

;; Events

(defn- refuses-tools?
  "Whether a model said that it takes no tools, in a loop that may do without and has called none yet."
  [machine error]
  (and (nil? (:mode (:context machine)))
       (not (:text? machine))
       (= "tool_calling_unsupported" (clojure.string/replace (or (word (:reason error)) "") "-" "_"))
       (not-any? (fn [message] (contains? message "tool_calls")) (:messages machine))))

(defn- in-text-mode
  "The same turn again, in text mode from now on."
  [machine]
  (let [in-text (fn [phases] (mapv (fn [phase] (assoc-in phase [:prompt "mode"] "text")) phases))
        changed (update-in (assoc machine :text? true) [:context :phases] in-text)
        prompt (agent.prompt/initial-state (:prompt (current changed)))]
    (if (map? prompt)
      (ask (assoc changed :prompt prompt))
      (bad-prompt changed :invalid-initial-state))))

(defn- on-answer [machine {:keys [action]}]
  (let [machine (assoc machine :action action)
        kind (:kind action)]
    (case kind
      :tool-call (let [{:keys [mission terminal-only]} (current machine)]
                   (step machine {:do (if terminal-only :check :evaluate) :mission mission :program (:program action)}))
      :protocol-error
      (go-on machine :protocol-error (agent.feedback/protocol-error action (mode machine))
             (fn [m] (turn-limit m :protocol-error)))
      :max-calls (done machine {:status :provider-failure :error (:error action)})
      :provider-error (cond
                        (refuses-tools? machine (:error action)) (in-text-mode machine)
                        (agent.failure/classify (:error action))
                        (done machine {:status :provider-failure :error (:error action)})
                        :else (abort machine :provider {:error (:error action)}))
      :model-output-truncated (abort machine :truncated {:alias (:alias action) :limit (:limit action)})
      (give-up machine {:kind :unknown-action :reason :unknown-action}))))

(defn- on-check [machine {:keys [check]}]
  (let [{:keys [mission]} (current machine)]
    (case (word (:outcome check))
      "valid" (step machine {:do :evaluate :mission mission :program (:program (:action machine))})
      "invalid" (go-on machine :terminal-source-required (agent.feedback/terminal-source-required check)
                       (fn [m] (turn-limit m :terminal-source-required)))
      (abort machine :evaluation-unavailable {:reason (or (plain-word (:reason check)) "unknown")}))))

(defn- correctable?
  "Whether a failed program did nothing but pass on what a tool answered, and the tool changed nothing."
  [{:keys [value] :as record}]
  (and (true? (:capability-failure? record))
       (true? (:retryable? record))
       (map? value)
       (= "error" (:status value))
       (string? (:kind value))
       (string? (:reason value))
       (boolean? (:retryable? value))))

(defn- on-unsafe
  "A failure after which nothing may be repeated: the model has one turn to decide, once in a loop."
  [machine record]
  (let [text (agent.feedback/non-retryable record)
        ended (fn [m]
                (subject-failure m :non-retryable-evaluation
                                 (or (plain-word (:kind record)) (plain-word (:outcome record)) "unknown") {}))
        closing (counted (assoc machine :closing? true) :evaluation-error)]
    (cond
      (:closing? machine) (ended machine)
      (turn-left? machine) (next-turn closing :evaluation-error (fn [budget] (str budget "\n\n" text)))
      (or (last-phase? machine) (some? (:return-contract (current machine)))) (ended closing)
      :else (hand-over closing text))))

(defn- accept [machine]
  (if (:verify? (:context machine))
    (step machine {:do :verify :candidate (merge {:status :candidate :value (:value machine)} (retained machine))})
    (done machine {:status :returned :value (:value machine)})))

(defn- on-return [machine record]
  (let [{:keys [return-contract]} (current machine)
        {:keys [checks contract]} (:context machine)
        machine (assoc machine :value (:value record))]
    (cond
      (and (not (last-phase? machine)) return-contract)
      (step machine {:do :validate :name return-contract :value (:value record)})
      (not (last-phase? machine))
      (hand-over (counted machine :evaluation-success)
                 (agent.feedback/success record (:observation-chars (:context machine))))
      (= :contract checks) (step machine {:do :validate :name contract :value (:value record)})
      (= :result checks) (step machine {:do :validate :value (:value record)})
      :else (accept machine))))

(defn- on-record [machine {:keys [record]}]
  (let [outcome (word (:outcome record))
        unsafe? (or (false? (:retryable? record))
                    (and (contains? #{"continued" "returned"} outcome) (not (true? (:correction-safe? record)))))
        machine (cond-> (assoc machine :record record)
                  (not (contains? #{"busy" "limit_exceeded"} outcome)) (remember-record record)
                  unsafe? (assoc :safe? false))]
    (cond
      (true? (:terminal-host-failure? record))
      (abort machine :capability-unavailable {:reason (or (plain-word (:reason record)) "unknown")})
      (true? (:terminal-provider-failure? record))
      (subject-failure machine :model-program-failed :terminal-provider-failure {})
      (= "returned" outcome) (on-return machine record)
      (= "continued" outcome) (go-on machine :evaluation-success
                                     (agent.feedback/success record (:observation-chars (:context machine)))
                                     (fn [m] (turn-limit m :intermediate-result)))
      (= "failed" outcome) (if (correctable? record)
                             (go-on machine :evaluation-error (agent.feedback/capability-error record (mode machine))
                                    (fn [m] (subject-failure m :model-program-failed (:value record) {})))
                             (subject-failure machine :model-program-failed (:value record) {}))
      (= "busy" outcome) (abort machine :evaluation-unavailable {:reason (or (plain-word (:reason record)) "unknown")})
      (= "limit_exceeded" outcome) (if (some? (:limit-proof record))
                                     (abort machine :evaluations {:proof (:limit-proof record)})
                                     (abort machine :evaluation-unavailable
                                            {:reason (or (plain-word (:reason record)) "unknown")}))
      (not (contains? #{"evaluation_error" "memory_exceeded" "history_exceeded" "result_exceeded"} outcome))
      (give-up machine {:kind :evaluation-unavailable :reason :unknown-outcome})
      (false? (:retryable? record)) (on-unsafe machine record)
      :else (go-on machine :evaluation-error (agent.feedback/evaluation-error record (mode machine))
                   (fn [m] (turn-limit m :evaluation-error))))))

(defn- remember-record [machine record]
  (remember machine (execution record)))

(defn- contract-failure
  "The facts of a value that its contract refuses, for the end that needs them."
  [machine name mode]
  (let [{:keys [mission max-turns]} (current machine)]
    {:completion :invalid-return
     :value (:value machine)
     :phase-index (:phase machine)
     :mission mission
     :contract name
     :max-turns max-turns
     :mode mode}))

(defn- refused-outcome
  "A value that breaks the contract of its caller, as data."
  [machine name validation]
  (let [{:keys [mission max-turns]} (current machine)
        ;; What a model is shown of its own keys is no fact of an outcome.
        violations (mapv (fn [violation] (dissoc violation "undeclared_keys" "expected_type" "given_type" "members"))
                         (:violations (:details validation)))
        reason {:completion :invalid-return
                :phase_index 1
                :mission mission
                :contract name
                :max_turns max-turns
                :constraint (or (:kind (first violations)) "type")
                :violations violations}
        outcome {:status :subject-failure
                 :kind :phase-return-contract-failed
                 :error {:ok false :kind :phase-return-contract-failed :reason reason}}]
    (step machine {:do :done :outcome (merge outcome (retained machine)) :proves :contract})))

(defn- on-validation [machine {:keys [validation]}]
  (let [{:keys [checks contract data?]} (:context machine)
        phase-contract (:return-contract (current machine))
        final? (last-phase? machine)]
    (cond
      (and (true? (:valid? validation)) (not final?))
      (hand-over (counted machine :evaluation-success)
                 (agent.feedback/success (:record machine) (:observation-chars (:context machine))))

      (true? (:valid? validation)) (accept machine)

      (not final?)
      (go-on machine :phase-contract-error (agent.feedback/phase-result-contract validation)
             (fn [m] (abort m :phase-contract {:facts (contract-failure m phase-contract :phased)})))

      (= :contract checks)
      (go-on machine :phase-contract-error (agent.feedback/phase-result-contract validation)
             (fn [m] (if data?
                       (refused-outcome m contract validation)
                       (abort m :phase-contract {:facts (contract-failure m contract :standalone)}))))

      :else
      (go-on machine :result-contract-error (agent.feedback/result-contract validation)
             (fn [m] (abort m :result-contract {:value (:value m) :agent-turns (inc (:turn m))}))))))

(defn- report?
  "Whether the workflow's check said something that it may say."
  [report]
  (and (map? report)
       (case (word (:status report))
         "accepted" true
         ("rejected" "unresolved")
         (let [feedback (:feedback report)] (and (filled? feedback) (<= (count feedback) 2048)))
         false)))

(defn- on-report [machine {:keys [report]}]
  (let [status (when (report? report) (word (:status report)))
        failed (fn [m reason] (subject-failure m :verification-failed reason {}))]
    (case status
      "accepted" (done machine {:status :returned :value (:value machine) :verification report})
      "unresolved" (failed machine :unresolved)
      "rejected" (cond
                   (not (:safe? machine)) (failed machine :unsafe-effects)
                   (>= (:rejections machine) (:max-corrections (:context machine)))
                   (failed machine :correction-exhausted)
                   :else (go-on (update machine :rejections inc) :result-contract-error
                                (agent.feedback/rejection (:feedback report))
                                (fn [m] (failed m :correction-exhausted))))
      (give-up machine {:kind :invalid-agent-config :reason :invalid-verification}))))

(def ^:private handlers
  {:answered [:request on-answer]
   :checked [:check on-check]
   :evaluated [:evaluate on-record]
   :validated [:validate on-validation]
   :verified [:verify on-report]
   :summarised [:summarise on-summary]})

(defn start
  "The first step of a loop on a task. context: {:phases [{:mission :max-turns :instruction :terminal-only
  :return-contract :prompt}] :compact-at :summarise? :threshold :observation-chars :checks :contract :data? :verify?
  :max-corrections :retain :compact-every :fence-ids? :count-turns? :mode}; :prompt of a phase is what
  agent.prompt/initial-state is given, :checks is :result, :contract (of the name :contract) or nil, :data? gives
  refusals of that contract as outcomes, and :mode is \"text\", \"tools\" or nil: then a model that takes no
  tools is asked again in text mode."
  {:signature "(task :string, context :map) -> :any"}
  [task context]
  (let [machine {:context context
                 :phase 0
                 :phase-turn 0
                 :turn 0
                 :messages []
                 :prompt nil
                 :closing? false
                 :safe? true
                 :rejections 0
                 :programs []
                 :omitted 0
                 :counts {}
                 :awaiting nil
                 :text? (= "text" (:mode context))}
        begun (begin-phase machine 0)]
    (if (nil? begun)
      (bad-prompt machine :invalid-initial-state)
      (let [instruction (:instruction (current begun))
            opening (clojure.string/join "\n\n" (remove nil? [task instruction (budget begun)]))]
        (ask (assoc begun :opening opening :messages [{"role" "user" "content" opening}]))))))

(defn advance
  "The step after an event. An event that was not asked for ends the loop."
  {:signature "(machine :map, event :map) -> :any"}
  [machine event]
  (let [[awaited handle] (get handlers (:event event))]
    (if (and handle (= awaited (:awaiting machine)))
      (handle machine event)
      (give-up machine {:kind :unknown-action :reason :unexpected-event}))))
