(ns driver
  "Drives agent.machine with events that numbers choose, and tells every step: a loop without a model, a mission or a clock.")

(defn- call [id]
  {:id id :name "run_svc_lisp" :args {"program" "1"}})

(defn- tool-call [id narration]
  {:kind :tool-call :program "1" :narration narration :id id :call (call id)})

(def ^:private protocol-reasons
  [:invalid-response :assistant-text-without-tool-call :missing-tool-call :multiple-or-missing-tool-calls
   :wrong-tool-name
   :invalid-tool-call-id :invalid-json-arguments :extra-or-missing-arguments :program-not-string :program-empty])

(defn- action
  "What an answer means; most are calls."
  [n index]
  (let [id (str "c" index)]
    (cond
      (< n 12) (tool-call id (nth [nil "I look." " "] (mod n 3)))
      (< n 16) {:kind :protocol-error :reason (nth protocol-reasons (mod (* 7 n) 10)) :narration
                (nth [nil "Prose." ""] (mod n 3))}
      (= n 16) {:kind :protocol-error :reason :program-too-large :limit 10 :size 11 :narration "Long." :id id :call
                (call id)}
      (= n 17) {:kind :provider-error :error {:status :error :kind :provider_error :reason :timeout}}
      (= n 18) {:kind :provider-error :error {:status :error :kind :provider_error :reason :exception}}
      (= n 19) (nth [{:kind :max-calls :error {:status :error :kind :limit_exceeded :reason :capability_quota}}
                     {:kind :model-output-truncated :alias "small" :limit nil}]
                    (mod index 2)))))

(defn- evaluated [outcome more]
  (merge {:outcome outcome :evaluation-id "evaluation-1" :admitted? true :source-bytes 1 :correction-safe? true} more))

(defn- record
  "What became of a program; most may go on."
  [n index]
  (cond
    (< n 7) (evaluated :continued {:observation (str "user=> " (apply str (repeat 40 "1"))) :preview {}})
    (< n 10) (evaluated :returned {:value n :observation "user=> 1" :preview {}})
    (< n 13) (evaluated :evaluation_error
                        {:kind :runtime :reason :type-error :correction-safe? nil :details {:message "broken"}})
    (= n 13) (evaluated :memory_exceeded
                        {:correction-safe? nil
                         :reason :evaluation_memory_bytes
                         :details {:limit "evaluation_memory_bytes" :limit-value 9}})
    (= n 14) (evaluated :result_exceeded {:admitted? nil :correction-safe? nil :reason :subordinate_source_bytes})
    (= n 15) (evaluated :evaluation_error
                        {:kind :runtime
                         :retryable? false
                         :correction-safe? nil
                         :details {:message "broken after a write"}})
    (= n 16) (evaluated :continued {:correction-safe? false :observation "user=> nil" :preview {}})
    (= n 17) (evaluated :failed
                        {:value {:status "error" :kind "provider_error" :reason "unavailable" :retryable? true}
                         :capability-failure? true
                         :retryable? true
                         :correction-safe? nil})
    (= n 18) (evaluated :failed {:value "no" :correction-safe? nil})
    (= n 19) (nth [{:outcome :busy :reason :admission_timeout}
                   {:outcome :limit_exceeded :reason :subordinate_evaluations :limit-proof "proof"}
                   {:outcome :limit_exceeded :reason :run_closed}
                   (evaluated :continued {:terminal-provider-failure? true})
                   (evaluated :continued {:terminal-host-failure? true :reason :input_validation_unavailable})]
                  (mod index 5))))

(defn- validation [n]
  (if (< n 10)
    {:enforced? true :valid? true}
    {:enforced? true :valid? false :details {:value-kind "integer" :violations [{:kind "type" :path ""}]}}))

(defn- check [n]
  (cond
    (< n 12) {:outcome "valid"}
    (< n 19) {:outcome "invalid" :diagnostic {:kind "terminal_source_required" :message "one form"}}
    :else {:outcome "busy" :reason "evaluation_in_progress"}))

(defn- report [n]
  (cond
    (< n 8) {:status :accepted}
    (< n 16) {:status :rejected :feedback "Not yet."}
    (< n 18) {:status :unresolved :feedback "Cannot tell."}
    (= n 18) {:status :rejected :feedback " "}
    :else 7))

(defn- event [command n index]
  (case (:do command)
    :request {:event :answered :action (action n index)}
    :evaluate {:event :evaluated :record (record n index)}
    :check {:event :checked :check (check n)}
    :validate {:event :validated :validation (validation n)}
    :verify {:event :verified :report (report n)}))

(defn- told
  "A step as plain data. Only what a request or an end carries is whole."
  [{:keys [machine command]} n]
  (merge {"do" (name (:do command))
          "chosen" n
          "turn" (:turn machine)
          "phase" (:phase machine)
          "phase_turn" (:phase-turn machine)
          "closing" (:closing? machine)
          "safe" (:safe? machine)
          "rejections" (:rejections machine)
          "kept" (count (:programs machine))
          "omitted" (:omitted machine)
          "counted" (reduce + (vals (:counts machine)))}
         (case (:do command)
           :request {"messages" (:messages command) "prompt" (get (:cfg (:prompt command)) "mission")}
           :evaluate {"mission" (:mission command)}
           :done {"status" (name (:status (:outcome command))) "messages" (:messages machine)}
           :abort {"cause" (name (:cause command)) "messages" (:messages machine)}
           {})))

(defn- context [{:strs [phases threshold checks data verify corrections retain compact mode]}]
  {:phases (mapv (fn [{:strs [mission turns terminal contract]}]
                   {:mission mission
                    :max-turns turns
                    :instruction nil
                    :terminal-only terminal
                    :return-contract contract
                    :prompt {"mission" mission}})
                 phases)
   :threshold threshold
   :observation-chars 100
   :checks (get {"result" :result "contract" :contract} checks)
   :contract (when (= "contract" checks) "named")
   :data? data
   :verify? verify
   :max-corrections corrections
   :retain retain
   :compact-every compact
   :mode mode
   :count-turns? true})

(defn drive
  "Every step of a loop. choices: numbers from 0 to 19, one for each event, used again from the start when they are
  spent. At the end every event is offered once more; `after` holds what the machine makes of them."
  [plan]
  (let [choices (get plan "choices")]
    (loop [{:keys [machine command] :as step} (agent.machine/start "task" (context plan)) index 0 steps []]
      (let [n (nth choices (mod index (count choices))) steps (conj steps (told step n))]
        (if (or (contains? #{:done :abort} (:do command)) (> index 2000))
          {"steps" steps
           "after" (mapv (fn [word] (name (:cause (:command (agent.machine/advance machine {:event word})))))
                         [:answered :evaluated :checked :validated :verified :else])}
          (recur (agent.machine/advance machine (event command n index)) (inc index) steps))))))
