(ns prompt.audit
  "How long the parts of a system prompt of the agent loop are, and what a change of it adds."
  {:visibility :discoverable})

(def ^:private anchors
  "Label and first line of each part, in their order. Those after the API may be absent."
  [["marker" "SVC_AGENT_PROMPT_V1\n"]
   ["protocol" "## Protocol\n"]
   ["language" "## Language\n"]
   ["examples" "## Examples\n"]
   ["api-heading" "## API\n"]
   ["result-contract" "## Result contract\n"]
   ["phase-return-contract" "## Return contract\n"]])

(def ^:private optional #{"result-contract" "phase-return-contract"})
(def ^:private dynamic #{"api-entries" "result-contract" "phase-return-contract" "unrecognised"})
(def ^:private note "Tools take one map")
(def ^:private legend "In types, ")
(def ^:private nothing "Nothing is granted")

(defn- places
  "Where a text stands as the beginning of a line."
  [text line]
  (loop [from 0 found []]
    (let [at (clojure.string/index-of text line from)]
      (cond
        (nil? at) found
        (or (zero? at) (= "\n" (subs text (dec at) at))) (recur (inc at) (conj found at))
        :else (recur (inc at) found)))))

(defn- located
  "[label place] of every anchor that is there; nil where one is missing, doubled or out of its order."
  [text]
  (let [found (map (fn [[label line]] [label (places text line)]) anchors)
        there (vec (keep (fn [[label at]] (when (seq at) [label (first at)])) found))
        whole? (every? (fn [[label at]] (or (= 1 (count at)) (and (empty? at) (contains? optional label)))) found)
        starts (map second there)]
    (when (and whole? (= 0 (first starts)) (apply < starts)) there)))

(defn- segment [label text]
  {"label" label "text" text})

(defn- line-starting
  "The first line of a text with its end, if it begins so; else nothing."
  [text start]
  (if (clojure.string/starts-with? text start)
    (let [end (clojure.string/index-of text "\n")] (if (nil? end) text (subs text 0 (inc end))))
    ""))

(defn- api-segments [text]
  (let [heading "## API\n"
        body (subs text (count heading))
        notes (line-starting body note)
        after-notes (subs body (count notes))
        explained (line-starting after-notes legend)
        entries (subs after-notes (count explained))
        parts (if (clojure.string/starts-with? body nothing)
                [["api-empty" body]]
                [["api-notes" notes] ["api-legend" explained] ["api-entries" entries]])]
    (cons (segment "api-heading" heading)
          (keep (fn [[label part]] (when (not= "" part) (segment label part))) parts))))

(defn segments
  "The parts of a prompt in their order, as {\"label\" \"text\"}; their texts joined are the prompt. A text that the
  default policy did not make is one part, unrecognised."
  {:signature "(text :string) -> [{label :string, text :string}]" :effect :read}
  [text]
  (let [there (located text)]
    (if (nil? there)
      [(segment "unrecognised" text)]
      (vec (mapcat (fn [[label at] following]
                     (let [part (subs text at (if (nil? following) (count text) (second following)))]
                       (if (= "api-heading" label) (api-segments part) [(segment label part)])))
                   there
                   (concat (rest there) [nil]))))))

(defn- line-count [text]
  (let [ends (count (filter (fn [c] (= "\n" (str c))) text))]
    (if (or (= "" text) (clojure.string/ends-with? text "\n")) ends (inc ends))))

(defn- row [label characters lines]
  {"label" label "characters" characters "lines" lines "tokens_estimated" (quot (+ characters 3) 4)})

(defn- sum-of [label rows]
  (row label (reduce + (map (fn [r] (get r "characters")) rows)) (reduce + (map (fn [r] (get r "lines")) rows))))

(defn measure
  "Length of each part of a prompt, of what is always the same (authored), of what the application gives (dynamic),
  and of all of it: {\"rows\" [{\"label\" \"characters\" \"lines\" \"tokens_estimated\"}] \"recognised?\"}. Tokens are
  characters by four."
  {:signature "(text :string) -> :map" :effect :read}
  [text]
  (let [parts (segments text)
        rows (mapv (fn [part] (row (get part "label") (count (get part "text")) (line-count (get part "text")))) parts)
        dynamic? (fn [r] (contains? dynamic (get r "label")))]
    {"rows" (conj rows (sum-of "authored" (remove dynamic? rows)) (sum-of "dynamic" (filter dynamic? rows))
                  (sum-of "total" rows))
     "recognised?" (not= "unrecognised" (get (first parts) "label"))}))

(defn delta
  "What changed between two prompts, for each part and the sums, in characters:
  [{\"label\" \"before\" \"after\" \"change\" \"percent\"}]. percent is nil for what was not there before."
  {:signature "(a :string, b :string) -> [{label :string, before :int, after :int, change :int, percent :float?}]"
   :effect :read}
  [a b]
  (let [lengths (fn [text] (map (fn [r] [(get r "label") (get r "characters")]) (get (measure text) "rows")))
        before (lengths a)
        after (lengths b)
        sizes [(into {} before) (into {} after)]
        sums ["authored" "dynamic" "total"]
        labels (distinct (remove (set sums) (map first (concat before after))))]
    (mapv (fn [label]
            (let [was (get (first sizes) label 0) is (get (second sizes) label 0)]
              {"label" label
               "before" was
               "after" is
               "change" (- is was)
               "percent" (when (pos? was) (/ (math/round (/ (* 1000.0 (- is was)) was)) 10.0))}))
          (concat labels sums))))
