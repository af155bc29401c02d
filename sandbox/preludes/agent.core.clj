(ns agent.core
  "The agent loop: a model writes one program after the other, each runs in a mission, and the model sees the
  result, until a program returns a value that holds. The entries differ in what becomes of failures: run, run-value and
  run-result-value end the workflow, run-outcome gives them as data.

  Every entry takes these options; without them nothing changes:
  \"mode\" \"text\" offers no tool and takes the first fenced block of an answer as the program; \"tools\" always
    offers the tool; without either, a model that takes no tools is asked in text mode
  \"data\" {\"name\" value} lets programs read data/name
  \"workspace\" \"name\" keeps what this loop defines for later loops with the same name
  \"compact_every\" n hides outputs of programs older than the last n; the view changes once in n programs, so that
    requests in between begin alike
  \"compact_at_tokens\" n drops old turns of a conversation of more than about n tokens; a summary takes their place,
    by \"summarise\", a function of [{:program line :outcome line}], where it is given
  \"prompt_tool_bytes\" n, 8192 by default: when tools take more of the prompt, it lists names only, and programs
    find the tools by cap/search
  \"fence_ids\" true gives the markers around outputs an id that no output can name
  \"count_turns\" true counts the spent turns by their result
  \"omit_nil_model\" true takes a model of nil as none, in place of refusing it."
  {:visibility :prompt})

;; Options. Every refusal comes before the first request.

(def ^:private ranges
  "Options that take an integer: name, greatest, default."
  {"retain_programs" [128 nil]
   "max_turns" [2048 4]
   "max_program_chars" [1000000 64000]
   "max_observation_chars" [65536 2048]
   "max_transcript_chars" [1000000 262144]
   "prompt_tool_bytes" [1000000 8192]
   "compact_every" [128 nil]
   "compact_at_tokens" [1000000 nil]})

(defn- filled? [text]
  (and (string? text) (not (clojure.string/blank? text))))

(defn- type-tag [value]
  (cond
    (nil? value) "nil"
    (string? value) "string"
    (boolean? value) "bool"
    (float? value) "float"
    (map? value) "map"
    (vector? value) "vector"
    :else "other"))

(def ^:private least-int64 -9223372036854775808)
(def ^:private most-int64 9223372036854775807)

(defn- out-of-range
  "Ends with what the kernel makes of an option that is out of its range."
  [option value]
  (let [[most] (get ranges option)
        facts {:option option :min 1 :max most}
        int64? (and (int? value) (<= least-int64 value most-int64))]
    (tool/kernel-agent-config-failure (if int64? (assoc facts :value value) (assoc facts :type (type-tag value))))
    (fail {:kind :invalid-agent-config :reason option})))

(defn- refuse-option
  "Ends with what the kernel makes of an option that breaks a rule."
  [option rule]
  (tool/kernel-agent-config-failure {:option option :rule rule})
  (fail {:kind :invalid-agent-config :reason rule}))

(def ^:private dropped
  "Names that a policy gets from the loop alone."
  ["result_contract" "result_contract_mode" "phase_return_contract" "return_contract_projection"
   "standalone_return_contract" "standalone_return_contract_name" "standalone_return_contract_projection"
   "terminal_only" "phases" "verify" "summarise" "data"])

(def ^:private other-options
  "Options that take no integer, and keys that callers may leave in their map."
  ["model" "omit_nil_model" "mode" "mission" "consolidate_at_turns_remaining" "result_envelope" "return_contract"
   "phases" "verify" "max_corrections" "summarise" "workspace" "data" "fence_ids" "count_turns"
   "retry_backoff_ms" "retry_backoff_max_ms"])

(defn- check-names
  "Every key must be an option, of this entry or another one."
  [cfg]
  (let [known (concat (keys ranges) other-options)
        unknown (first (sort (remove (set (concat known dropped)) (keys cfg))))]
    (when (some? unknown)
      (tool/kernel-agent-config-failure {:option unknown :rule "unknown-option" :known (vec known)})
      (fail {:kind :invalid-agent-config :reason :unknown-option}))))

(defn- ranged [cfg option]
  (let [value (get cfg option) [most default] (get ranges option)]
    (cond
      (nil? value) default
      (and (int? value) (<= 1 value most)) value
      :else (out-of-range option value))))

(def ^:private long-loop
  "Loops of more turns than this hold conversations of up to a million characters where nothing else is said: the
  default of shorter ones would end them halfway."
  128)

(defn- transcript-chars [cfg turns]
  (if (and (nil? (get cfg "max_transcript_chars")) (> turns long-loop))
    (first (get ranges "max_transcript_chars"))
    (ranged cfg "max_transcript_chars")))

(defn- declared?
  "Whether the application declares a phase return contract of this name."
  [name]
  (not (contains? #{:error "error"} (:status (kernel/phase-return-contract-presentation name)))))

(defn- contract-name? [value]
  (and (string? value) (some? (re-matches #"[a-z][a-z0-9._-]{0,127}" value))))

(defn- check-verification [entry cfg]
  (let [verify (get cfg "verify") corrections (get cfg "max_corrections")]
    (when (some? verify)
      (when-not (and (= :outcome entry) (fn? verify) (not (contains? cfg "phases")))
        (refuse-option "verify" "invalid-verification")))
    (when (some? corrections)
      (when (nil? verify) (refuse-option "max_corrections" "verification-required"))
      (when-not (and (int? corrections) (<= 0 corrections 128))
        (refuse-option "max_corrections" "invalid-verification")))))

(defn- check-contract [entry cfg]
  (let [name (get cfg "return_contract")]
    (when (some? name)
      (cond
        (not (and (contains? #{:value :outcome} entry) (not (contains? cfg "phases"))))
        (refuse-option "return_contract" "incompatible-return-contract")
        (not (contract-name? name)) (refuse-option "return_contract" "invalid-return-contract")
        (not (declared? name)) (refuse-option "return_contract" "unknown_phase_return_contract")))))

(defn- check-retained [entry cfg]
  (when (and (some? (get cfg "retain_programs")) (not= :outcome entry))
    (refuse-option "retain_programs" "incompatible-retain-programs"))
  (ranged cfg "retain_programs"))

(defn- phase?
  "Whether one phase has its form; contracts and the sum of turns are looked at afterwards."
  [phase last?]
  (and (map? phase)
       (filled? (:mission phase))
       (int? (:max-turns phase))
       (<= 1 (:max-turns phase) 128)
       (let [instruction (:instruction phase)] (or (nil? instruction) (filled? instruction)))
       (let [terminal (:terminal-only phase)] (or (nil? terminal) (false? terminal) (and (true? terminal) last?)))
       (let [contract (:return-contract phase)] (or (nil? contract) (string? contract)))))

(defn- checked-phases [cfg]
  (let [phases (get cfg "phases") amount (if (vector? phases) (count phases) 0)]
    (when-not (and (<= 1 amount 8)
                   (every? true? (map-indexed (fn [index phase] (phase? phase (= (inc index) amount))) phases))
                   (<= (reduce + (map (fn [phase] (:max-turns phase)) phases)) 128))
      (refuse-option "phases" "invalid-phases"))
    (when (some? (:return-contract (peek phases))) (refuse-option "phases" "final-phase-return-contract"))
    (doseq [phase phases]
      (let [contract (:return-contract phase)]
        (when (and (some? contract) (not (declared? contract)))
          (refuse-option "phases" "unknown_phase_return_contract"))))
    (mapv (fn [phase]
            {:mission (:mission phase)
             :max-turns (:max-turns phase)
             :instruction (:instruction phase)
             :terminal-only (true? (:terminal-only phase))
             :return-contract (:return-contract phase)})
          phases)))

(defn- single-phase [cfg max-turns]
  (let [mission (get cfg "mission")]
    (when (and (some? mission) (not (filled? mission))) (refuse-option "mission" "invalid-mission"))
    [{:mission (or mission "default")
      :max-turns max-turns
      :instruction nil
      :terminal-only false
      :return-contract nil}]))

(defn- checked-threshold [cfg phases]
  (let [threshold (get cfg "consolidate_at_turns_remaining")]
    (when (and (some? threshold) (not (and (int? threshold) (<= 1 threshold (reduce + (map :max-turns phases))))))
      (refuse-option "consolidate_at_turns_remaining" "invalid-consolidation-threshold"))
    threshold))

(defn- checked-summarise [cfg]
  (let [summarise (get cfg "summarise")]
    (when-not (or (nil? summarise) (and (fn? summarise) (some? (get cfg "compact_at_tokens"))))
      (refuse-option "summarise" "invalid-summarise"))
    summarise))

(defn- checked-mode [cfg]
  (let [mode (get cfg "mode")]
    (when-not (contains? #{nil "text" "tools"} mode) (refuse-option "mode" "invalid-mode"))
    mode))

(defn- check-missions
  "Every mission of the loop must be there before anything is asked."
  [phases]
  (doseq [mission (distinct (map :mission phases))]
    (let [context (kernel/mission-model-context mission)]
      (when-not (string? context)
        (fail {:kind :mission-unavailable :reason (:reason context) :cause context})))))

(defn- open-workspace
  "Where the programs of this loop run: in a continuation of their own, or in the one of that name."
  [cfg phases]
  (let [name (get cfg "workspace")
        data (get cfg "data")
        reply (tool/kernel-workspace (cond-> {"mode" "open" "missions" (vec (distinct (map :mission phases)))}
                                       (some? name) (assoc "name" name)
                                       (some? data) (assoc "data" data)))
        opened (:value reply)]
    (cond
      (not (contains? #{:ok "ok"} (:status reply))) (refuse-option "data" "invalid-data")
      (some? (get opened "rule")) (refuse-option (get opened "option") (get opened "rule"))
      :else (get opened "workspace"))))

(defn- close-workspace [settings]
  (tool/kernel-workspace {"mode" "close" "workspace" (:workspace settings)}))

(defn- presented
  "The presentation of a named contract; nil without one."
  [name]
  (when (some? name) (kernel/phase-return-contract-presentation name)))

(defn- text-keys [cfg]
  (into {}
        (map (fn [[key value]] [(clojure.string/replace (if (keyword? key) (name key) (str key)) "-" "_") value]) cfg)))

(defn- prompt-options
  "What agent.prompt/initial-state gets of a phase."
  [cfg limits phase settings]
  (let [{:keys [entry checks contract last?]} settings]
    (merge (apply dissoc cfg dropped)
           limits
           {"mission" (:mission phase)
            "max_turns" (:max-turns phase)
            "terminal_only" (:terminal-only phase)
            "return_contract" (:return-contract phase)
            "result_contract" (when (and last? (= :result checks)) (kernel/result-contract-presentation))
            "result_contract_mode" (when (= :result checks) (if (= :wrapped entry) "envelope" "raw"))
            "phase_return_contract" (presented (:return-contract phase))
            "standalone_return_contract_name" contract
            "standalone_return_contract_projection" (presented contract)})))

(defn- settled
  "The options of a loop, each checked, in the order in which refusals are reported."
  [entry given]
  (let [cfg (text-keys given)
        checks (cond (contains? #{:wrapped :raw :result} entry) :result
                     (some? (get cfg "return_contract")) :contract
                     :else nil)
        contract (when (= :contract checks) (get cfg "return_contract"))]
    (check-names cfg)
    (check-verification entry cfg)
    (check-contract entry cfg)
    (let [retain (check-retained entry cfg)
          max-turns (ranged cfg "max_turns")
          phases (if (contains? cfg "phases") (checked-phases cfg) (single-phase cfg max-turns))
          threshold (checked-threshold cfg phases)
          turns (reduce + (map :max-turns phases))
          limits {"max_program_chars" (ranged cfg "max_program_chars")
                  "max_observation_chars" (ranged cfg "max_observation_chars")
                  "max_transcript_chars" (transcript-chars cfg turns)
                  "prompt_tool_bytes" (ranged cfg "prompt_tool_bytes")}
          compact-every (ranged cfg "compact_every")
          compact-at (ranged cfg "compact_at_tokens")
          summarise (checked-summarise cfg)
          mode (checked-mode cfg)
          final (dec (count phases))
          settings {:entry entry :checks checks :contract contract}
          workspace (do (check-missions phases) (open-workspace cfg phases))]
      {:entry entry
       :workspace workspace
       :limits limits
       :phased? (contains? cfg "phases")
       :total turns
       :model (if (and (contains? cfg "model")
                       (not (and (true? (get cfg "omit_nil_model")) (nil? (get cfg "model")))))
                {"model" (get cfg "model")} {})
       :verify (get cfg "verify")
       :summarise summarise
       :context {:phases (vec (map-indexed (fn [index phase]
                                             (assoc phase :prompt
                                                    (prompt-options (assoc cfg "workspace" workspace) limits phase
                                                                    (assoc settings :last? (= index final)))))
                                           phases))
                 :threshold threshold
                 :observation-chars (get limits "max_observation_chars")
                 :checks checks
                 :contract contract
                 :data? (= :outcome entry)
                 :verify? (some? (get cfg "verify"))
                 :max-corrections (or (get cfg "max_corrections") 1)
                 :retain retain
                 :compact-every compact-every
                 :compact-at compact-at
                 :summarise? (some? summarise)
                 :fence-ids? (true? (get cfg "fence_ids"))
                 :count-turns? (true? (get cfg "count_turns"))
                 :mode mode}})))

;; Commands of the machine

(defn- system-text [state]
  (let [text (agent.prompt/render state)]
    (cond
      (filled? text) text
      (and (map? text) (contains? #{:error "error"} (:status text)))
      (fail {:kind :mission-unavailable :reason (:reason text) :cause text})
      :else (fail {:kind :invalid-prompt :reason :invalid-render}))))

(defn- annotate-action [settings machine action]
  (let [{:keys [phase phase-turn turn]} machine
        {:keys [total phased? context]} settings]
    (workflow.event/annotate
     "agent-action"
     (cond-> {:turn turn :kind (:kind action) :max-turns total}
       phased? (assoc :phase phase :phase-turn phase-turn :mission (:mission (nth (:phases context) phase)))))))

(defn- too-long?
  "Whether a request had more bytes than the arguments of a call may have."
  [answer]
  (and (map? answer) (contains? #{:argument_exceeded :argument-exceeded "argument_exceeded"} (:reason answer))
       (contains? #{:error "error"} (:status answer))))

(defn- ask
  "Sends the request of a turn and says what the answer means. A request that would be too long is not sent."
  [settings machine {:keys [messages prompt text?]}]
  (let [{:keys [limits model]} settings
        offered (if text? {} {"tools" [(agent.native/tool-schema)]})
        request (merge {"system" (system-text prompt) "messages" messages} offered model)
        most (get limits "max_transcript_chars")]
    (when (> (count (json/generate-string request)) most)
      (tool/kernel-runtime-limit-failure {:max-transcript-chars most})
      (fail {:kind :transcript-limit :reason :max-transcript-chars}))
    (let [normalize (if text? agent.native/normalize-text agent.native/normalize)
          answer (llm/request request)
          action (normalize answer (get limits "max_program_chars"))]
      (when (too-long? answer)
        (tool/kernel-runtime-limit-failure {:request-bytes true})
        (fail {:kind :transcript-limit :reason :capability-argument-bytes}))
      (when (= :protocol-error (:kind action)) (tool/kernel-agent-protocol-error {}))
      (annotate-action settings machine action)
      {:event :answered :action action})))

(defn- unavailable
  "Ends with an envelope that the kernel gave instead of a record."
  [envelope]
  (fail {:kind
         (if (contains? #{:unknown-mission :unknown_mission "unknown_mission"} (:reason envelope))
           :mission-unavailable :evaluation-unavailable)
         :reason (:reason envelope)
         :cause envelope}))

(defn- evaluate [settings {:keys [mission program]}]
  (let [reply (tool/kernel-eval {"mission" mission
                                 "workspace" (:workspace settings)
                                 "kind" "source"
                                 "source" program
                                 "observation_chars" (get (:limits settings) "max_observation_chars")})]
    (if (contains? #{:ok "ok"} (:status reply))
      {:event :evaluated :record (:value reply)}
      (unavailable reply))))

(defn- check [settings {:keys [mission program]}]
  (let [reply
        (tool/kernel-check-source
         {"mission" mission "workspace" (:workspace settings) "source" program "require" "terminal"})]
    (if (contains? #{:ok "ok"} (:status reply))
      {:event :checked :check (:value reply)}
      (unavailable reply))))

(defn- wrapped
  "A value as the entry will end with it."
  [settings value]
  (if (= :wrapped (:entry settings)) (result/ok value) value))

(defn- validate [settings {:keys [name value]}]
  {:event :validated
   :validation
   (if (some? name) (kernel/validate-phase-return name value) (kernel/validate-result (wrapped settings value)))})

(defn- summarise [settings {:keys [turns]}]
  (let [text ((:summarise settings) turns)]
    (when-not (filled? text) (refuse-option "summarise" "invalid-summarise"))
    {:event :summarised :text text}))

(defn- verify [settings {:keys [candidate]}]
  (let [report ((:verify settings) candidate) status (:status report)]
    (workflow.event/annotate "agent-verification" {:status status})
    {:event :verified :report report}))

;; Ends

(defn- replay-hash
  "Digest of a request that no recorded answer matched; nil for any other failure."
  [details]
  (when (string? details)
    (second (re-find #"\(request_hash: (sha256:[0-9a-f]{64})\)" details))))

(defn- report-provider
  "Ends with the diagnostic of a provider's failure, if it is one that the kernel knows of; else with the envelope
  itself."
  [error]
  (let [timeout? (contains? #{:timeout "timeout"} (:kind error))
        hash (replay-hash (:details error))
        reason (if timeout? "timeout" (:reason error))]
    (when (or timeout? (contains? #{:provider_error :provider-error "provider_error"} (:kind error)))
      (tool/kernel-llm-provider-failure
       {:kind :llm-provider-error
        :reason (cond-> {:reason reason :retryable? (true? (:retryable? error))}
                  (some? hash) (assoc :request-hash hash))}))
    (fail error)))

(defn- report-contract [facts]
  (tool/kernel-phase-return-contract-failure facts)
  (fail {:kind :phase-return-contract-failed :reason (:completion facts)}))

(defn- report-result [settings {:keys [value agent-turns]}]
  (tool/kernel-result-contract-failure {:value (wrapped settings value) :agent-turns agent-turns})
  (fail {:kind :result-contract :reason :invalid-result}))

(defn- report-truncated [{:keys [alias limit]}]
  (tool/kernel-runtime-limit-failure
   (if (nil? limit) {:alias alias} {:alias alias :max-tokens (:value limit) :bindings (:bindings limit)}))
  (fail {:kind :provider-error :reason :model-output-truncated}))

(defn- end-workflow [settings {:keys [cause error reason proof facts] :as command}]
  (case cause
    :provider (report-provider error)
    :truncated (report-truncated command)
    :phase-contract (report-contract facts)
    :result-contract (report-result settings command)
    :evaluations (do (tool/kernel-runtime-limit-failure {:proof proof})
                     (fail {:kind :evaluation-unavailable :reason :subordinate-evaluations}))
    :capability-unavailable (fail {:kind :capability-unavailable :reason reason})
    :evaluation-unavailable (fail {:kind :evaluation-unavailable :reason reason})
    (fail error)))

(defn- alias-of
  "The model that a failure is about: what the error says, else what was asked for."
  [settings error]
  (first (filter filled? [(:model error) (:alias (:details error)) (get (:model settings) "model")])))

(defn- drive
  "Does what a machine asks for until it is done, and gives the command that it ended with."
  [settings first-step]
  (loop [{:keys [machine command]} first-step]
    (case (:do command)
      :request (recur (agent.machine/advance machine (ask settings machine command)))
      :check (recur (agent.machine/advance machine (check settings command)))
      :evaluate (recur (agent.machine/advance machine (evaluate settings command)))
      :validate (recur (agent.machine/advance machine (validate settings command)))
      :verify (recur (agent.machine/advance machine (verify settings command)))
      :summarise (recur (agent.machine/advance machine (summarise settings command)))
      :done command
      (end-workflow settings command))))

(defn- run-loop
  "Drives a machine to its end and gives {:settings :command}, the command that ended it with data."
  [entry task cfg]
  (let [settings (settled entry cfg)
        command (try
                  (drive settings (agent.machine/start task (:context settings)))
                  ;; What a function of the workflow throws, it may catch, and start a loop in this workspace.
                  (catch Throwable failure (close-workspace settings) (throw failure)))]
    (close-workspace settings)
    {:settings settings :command command}))

(defn- turns-failure [outcome evaluation-id]
  (let [{:keys [reason limit_value turn_counts]} (:error outcome)]
    (tool/kernel-runtime-limit-failure
     (cond-> {:agent-turns limit_value :reason reason}
       (some? turn_counts) (assoc :turn-counts turn_counts)
       (some? evaluation-id) (assoc :evaluation-id evaluation-id)))
    (fail (:error outcome))))

(defn- end-with
  "Ends the workflow with a failure that a loop came to."
  [outcome evaluation-id]
  (case (:status outcome)
    :provider-failure (report-provider (:error outcome))
    (if (= :turn-limit (:kind outcome))
      (turns-failure outcome evaluation-id)
      (fail (:error outcome)))))

(defn- value-of
  "The value of a loop whose failures end the workflow."
  [entry task cfg]
  (let [{{:keys [outcome evaluation-id]} :command} (run-loop entry task cfg)]
    (if (= :returned (:status outcome)) (:value outcome) (end-with outcome evaluation-id))))

(defn- evidence [outcome]
  (let [{:keys [status kind error]} outcome]
    {:status status :kind kind :error (dissoc error :failure-token)}))

(defn- recorded
  "A token by which agent.core/fail-outcome can end with what this outcome was."
  [outcome evaluation-id]
  (let [reply (tool/kernel-agent-outcome-failure
               (cond-> {:mode :record-turn :evidence (evidence outcome)}
                 (some? evaluation-id) (assoc :evaluation-id evaluation-id)))]
    (get (:value reply) "failure_token")))

(defn run
  "Works on a task until a program returns a value, and ends the workflow's program with {:ok true :value value}, or, if
  \"result_envelope\" is false, with the value. Every failure ends the workflow."
  {:signature
   "(task :string, cfg {model :string?, mission :string?, max_turns :any?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?, result_envelope :bool?}) -> :any"}
  [task cfg]
  (if (false? (:result-envelope cfg))
    (return (value-of :raw task cfg))
    (return (result/ok (value-of :wrapped task cfg)))))

(defn run-value
  "As agent.core/run, but gives the value and goes on. With \"return_contract\" it satisfies the phase return contract
  of that name."
  {:signature
   "(task :string, cfg {model :string?, mission :string?, max_turns :any?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?, return_contract :any?}) -> :any"}
  [task cfg]
  (value-of :value task cfg))

(defn run-result-value
  "As agent.core/run-value; the value satisfies the result contract of the application."
  {:signature
   "(task :string, cfg {model :string?, mission :string?, max_turns :any?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?}) -> :any"}
  [task cfg]
  (value-of :result task cfg))

(defn run-phased-result-value
  "As agent.core/run-result-value, in phases: each has a mission and turns of its own, the conversation goes on
  through all of them, and the last gives the value."
  {:signature
   "(task :string, cfg {model :string?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?, phases [{mission :string, max_turns :int, instruction :string?, terminal_only :bool?, return_contract :string?}]}) -> :any"}
  [task cfg]
  (value-of :result task cfg))

(defn run-outcome
  "Works on a task and gives the outcome as data: {:status :returned :value v}, {:status :subject-failure :kind :error}
  or {:status :provider-failure :error :model}. With \"retain_programs\" the newest programs are in it; \"verify\", a
  function of {:status :candidate :value v}, says accepted, rejected or unresolved of each value, and
  \"max_corrections\" how often a rejected one may be mended. What else goes wrong ends the workflow."
  {:signature
   "(task :string, cfg {model :string?, mission :string?, max_turns :any?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?, return_contract :any?, retain_programs :any?, verify :any?, max_corrections :any?}) -> :any"}
  [task cfg]
  (let [{:keys [settings command]} (run-loop :outcome task cfg)
        {:keys [outcome proves evaluation-id]} command]
    (cond
      (= :turns proves) (assoc outcome :failure-token (recorded outcome evaluation-id))
      (= :contract proves) (assoc-in outcome [:error :failure-token] (recorded outcome nil))
      (= :provider-failure (:status outcome)) (let [alias (alias-of settings (:error outcome))]
                                                (if (nil? alias) outcome (assoc outcome :model alias)))
      :else outcome)))

(defn fail-outcome
  "Ends the workflow with the failure in an outcome of agent.core/run-outcome, as if it had not been caught. A
  returned outcome is given back; a map that no loop made is a plain failure."
  {:signature "(outcome :map) -> :map"}
  [outcome]
  (let [{:keys [status kind error]} outcome
        word (fn [value] (when (or (keyword? value) (string? value)) (name value)))
        token (or (:failure-token outcome) (:failure-token error))]
    (cond
      (= "returned" (word status)) outcome
      (= "provider-failure" (word status)) (report-provider error)
      (string? token) (do (tool/kernel-agent-outcome-failure {:mode :consume :token token :evidence (evidence outcome)})
                          (fail error))
      :else (fail error))))
