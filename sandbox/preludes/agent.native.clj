(ns agent.native
  "The action protocol: the one tool that a model is offered, and what its answers mean; in text mode there is no
  tool, and the program is the first fenced block of an answer."
  {:visibility :prompt})

(def ^:private tool-name
  "The only tool of the protocol."
  "run_svc_lisp")

(defn tool-schema
  "The tool as a request carries it."
  {:effect :read}
  []
  {"type" "function"
   "function"
   {"name" tool-name
    "description"
    "Runs one svc-lisp program. A plain value is shown to you and you go on; (return value) completes the task; (fail reason) gives it up."
    "parameters" {"type" "object"
                  "additionalProperties" false
                  "required" ["program"]
                  "properties" {"program" {"type" "string"}}}}})

(def ^:private default-limit 64000)
(def ^:private binding-order
  ["application_limit" "installation_param" "configured" "adapter_default" "model_output_limit" "remaining_context"])
(def ^:private quota-limits
  #{"workflow_capability_calls" "mission_capability_calls" "workflow_capability_calls_per_name"
    "mission_capability_calls_per_name"})
(def ^:private budget-limits #{"llm_total_tokens" "llm_cost_microusd"})

(defn- filled? [text]
  (and (string? text) (not (clojure.string/blank? text))))

(defn- word [value]
  (when (or (keyword? value) (string? value))
    (clojure.string/replace (name value) "-" "_")))

(defn- positive? [value]
  (and (int? value) (pos? value)))

(defn- quota? [error]
  (let [details (:details error) limit (word (:limit details))]
    (and (= "limit_exceeded" (word (:kind error)))
         (= "capability_quota" (word (:reason error)))
         (map? details)
         (positive? (:limit-value details))
         (or (and (= "max_calls" limit) (filled? (:alias details)))
             (and (contains? quota-limits limit) (filled? (:name details)))))))

(defn- budget? [error]
  (let [details (:details error) reason (word (:reason error))
        {:keys [limit-value remaining requested]} (if (map? details) details {})]
    (and (= "limit_exceeded" (word (:kind error)))
         (contains? budget-limits reason)
         (= reason (word (:limit details)))
         (every? int? [limit-value remaining requested])
         (<= 0 remaining limit-value)
         (> requested remaining))))

(defn- output-limit?
  "Whether a response says in a known form what cut it."
  [limit]
  (and (map? limit)
       (= 3 (count limit))
       (= "max_tokens" (:name limit))
       (int? (:value limit))
       (<= 1 (:value limit) 1000000)
       (let [bindings (:bindings limit)]
         (and (sequential? bindings)
              (seq bindings)
              (= bindings (filterv (set bindings) binding-order))))))

(defn- parsed
  "Arguments as a map; nil for what is none."
  [given]
  (let [value (if (string? given)
                (try (json/parse-string given) (catch Throwable _ nil))
                given)]
    (when (map? value) value)))

(defn- arguments [call]
  (cond
    (some? (:args-error call)) nil
    (contains? call :args) (parsed (:args call))
    (contains? call :arguments) (parsed (:arguments call))
    :else (parsed (:arguments (:function call)))))

(defn- called-name [call]
  (if (contains? call :name) (:name call) (:name (:function call))))

(defn- refused [reason response]
  {:kind :protocol-error :reason reason :narration (when (map? response) (:content response))})

(defn- fence-of
  "The mark with which a line opens a fenced block; nil for any other line."
  [line]
  (second (re-matches #" {0,3}(`{3,}|~{3,})[^`]*" line)))

(defn- closes? [fence line]
  (let [mark (second (re-matches #" {0,3}(`{3,}|~{3,})[ \t]*" line))]
    (and (some? mark) (clojure.string/starts-with? mark fence))))

(defn- unfenced
  "A program without the fence around it, where nothing else is around it; any other text as it is. No program begins
  with a fence."
  [text]
  (let [lines (clojure.string/split-lines (clojure.string/trim text))
        fence (fence-of (first lines))
        body (rest lines)]
    (cond
      (nil? fence) (or (second (re-matches #"`{3,}(?:[A-Za-z-]+\s)?([^`]+)`{3,}" (clojure.string/trim text))) text)
      (and (seq body) (closes? fence (last body)) (not-any? (fn [line] (closes? fence line)) (butlast body)))
      (clojure.string/join "\n" (butlast body))
      :else text)))

(defn- call-action [response call limit]
  (let [given (when (map? call) (arguments call))
        program (if (string? (:program given)) (unfenced (:program given)) (:program given))
        refuse (fn [reason] (refused reason response))]
    (cond
      (not (and (map? call) (= tool-name (called-name call)))) (refuse :wrong-tool-name)
      (not (filled? (:id call))) (refuse :invalid-tool-call-id)
      (nil? given) (refuse :invalid-json-arguments)
      (not (and (= 1 (count given)) (contains? given :program))) (refuse :extra-or-missing-arguments)
      (not (string? program)) (refuse :program-not-string)
      (clojure.string/blank? program) (refuse :program-empty)
      (> (count program) limit)
      (assoc (refuse :program-too-large) :limit limit :size (count program) :id (:id call) :call call)
      :else {:kind :tool-call
             :program program
             :narration (:content response)
             :id (:id call)
             :call call
             :continuation (:continuation response)})))

(defn- answer-action [response limit]
  (let [calls (when (map? response) (:tool-calls response))]
    (cond
      (not (map? response)) (refused :invalid-response response)
      (not (sequential? calls))
      (refused (if (filled? (:content response)) :assistant-text-without-tool-call :missing-tool-call) response)
      (not= 1 (count calls)) (refused :multiple-or-missing-tool-calls response)
      :else (call-action response (first calls) limit))))

(defn- truncated
  "A protocol error of an answer that its output limit cut is no fault of the model's; any other action as it is."
  [action response]
  (let [limit (when (map? response) (:output-limit response))]
    (if (and (= :protocol-error (:kind action))
             (map? response)
             (= "length" (word (:finish-reason response)))
             (filled? (:model response))
             (or (nil? limit) (output-limit? limit)))
      {:kind :model-output-truncated :alias (:model response) :limit limit}
      action)))

;; Text mode: a model without tools writes its program into its answer.

(defn- first-block
  "The first fenced block of a text, and whether it was closed; nil where there is none."
  [text]
  (let [[opening & others] (drop-while (fn [line] (nil? (fence-of line))) (clojure.string/split-lines text))]
    (when (some? opening)
      (let [[body end] (split-with (fn [line] (not (closes? (fence-of opening) line))) others)]
        {:program (clojure.string/join "\n" body) :closed? (some? (seq end))}))))

(defn- text-action [response limit]
  (let [content (:content response)
        {:keys [program closed?]} (when (filled? content) (first-block content))
        refuse (fn [reason] (refused reason response))]
    (cond
      (not (filled? content)) (refuse :answer-empty)
      ;; An answer that was cut within its block is not run; one that just ends there is whole.
      (or (nil? program) (and (not closed?) (= "length" (word (:finish-reason response)))))
      (refuse :missing-fenced-program)
      (clojure.string/blank? program) (refuse :program-empty)
      (> (count program) limit) (assoc (refuse :program-too-large) :limit limit :size (count program))
      :else {:kind :tool-call :program program :narration content :continuation (:continuation response)})))

(defn- action-of
  "What an answer means, read by read-answer where it is one."
  [response max-chars read-answer]
  (let [limit (if (and (int? max-chars) (<= 1 max-chars 1000000)) max-chars default-limit)]
    (cond
      (not (map? response)) (refused :invalid-response response)
      (or (quota? response) (budget? response)) {:kind :max-calls :error response}
      (contains? #{:error "error"} (:status response)) {:kind :provider-error :error response}
      :else (truncated (read-answer response limit) response))))

(defn normalize
  "What an answer of llm/request means: a map whose :kind is :tool-call with :program :narration :id :call;
  :protocol-error with :reason; :provider-error or :max-calls with :error, the envelope; or :model-output-truncated with
  :alias and :limit. Programs longer than max-chars are protocol errors; a limit that is none counts as 64000."
  {:effect :read}
  [response max-chars]
  (action-of response max-chars answer-action))

(defn normalize-text
  "As agent.native/normalize, of an answer in text mode: its program is the first fenced block, and :id and :call are
  absent."
  {:visibility :discoverable :effect :read}
  [response max-chars]
  (action-of response max-chars text-action))
