;;;; open tickets by priority
;data tickets [{"id": 11, "priority": "high", "state": "open", "title": "Cannot log in"}, {"id": 12, "priority": "low", "state": "closed", "title": "Typo"}, {"id": 13, "priority": "high", "state": "open", "title": "Payment fails"}, {"id": 14, "priority": "medium", "state": "open", "title": "Slow page"}]
(let [rank {"high" 0 "medium" 1 "low" 2}]
  (->> data/tickets
       (filter #(= "open" (get % "state")))
       (sort-by (fn [t] [(rank (get t "priority")) (get t "id")]))
       (mapv (fn [{:strs [id priority title]}]
               (str "#" id " [" priority "] " title)))))
;;;; classify by keywords
(def rules
  [[:billing #"(?i)\b(invoice|refund|charged?|payment)\b"]
   [:account #"(?i)\b(password|log ?in|account)\b"]
   [:bug #"(?i)\b(error|crash(es|ed)?|broken)\b"]])

(defn classify [text]
  (or (some (fn [[category pattern]]
              (when (re-find pattern text) category))
            rules)
      :other))

(let [texts ["I was charged twice for my invoice"
             "The app crashes when I open settings"
             "How do I reset my password?"
             "Love the new colours"]]
  (zipmap texts (map classify texts)))
;;;; response time statistics
(defn minutes-between [a b]
  (let [to-min (fn [s]
                 (let [[h m] (map parse-long (clojure.string/split s #":"))]
                   (+ (* 60 h) m)))]
    (- (to-min b) (to-min a))))

(let [tickets [{:id 1 :opened "09:00" :answered "09:12"}
               {:id 2 :opened "10:30" :answered "12:00"}
               {:id 3 :opened "11:15" :answered "11:21"}
               {:id 4 :opened "13:00"}]
      times (sort (keep (fn [{:keys [opened answered]}]
                          (when answered (minutes-between opened answered)))
                        tickets))]
  {:answered (count times)
   :unanswered (count (remove :answered tickets))
   :median (nth times (quot (count times) 2))
   :max (apply max times)
   :average (double (/ (reduce + times) (count times)))})
;;;; assign to least loaded agent
(defn assign [agents ticket]
  (let [candidates (filter #(contains? (:skills %) (:topic ticket)) agents)
        chosen (first (sort-by (juxt :load :name) candidates))]
    (if chosen
      [(mapv (fn [a] (if (= (:name a) (:name chosen)) (update a :load inc) a)) agents)
       (assoc ticket :agent (:name chosen))]
      [agents (assoc ticket :agent nil)])))

(let [agents [{:name "Ann" :skills #{:billing :tech} :load 2}
              {:name "Ben" :skills #{:tech} :load 1}
              {:name "Cleo" :skills #{:billing} :load 0}]
      [final assigned] (reduce (fn [[agents done] t]
                                 (let [[agents t] (assign agents t)]
                                   [agents (conj done t)]))
                               [agents []]
                               [{:id 1 :topic :tech} {:id 2 :topic :tech} {:id 3 :topic :billing} {:id 4 :topic :legal}])]
  {:assigned (mapv (juxt :id :agent) assigned)
   :load (into {} (map (juxt :name :load)) final)})
;;;; escalation check
;keys keyword
;data tickets [{"id": "T1", "tier": "gold", "hours": 5}, {"id": "T2", "tier": "silver", "hours": 30}, {"id": "T3", "tier": "gold", "hours": 3}, {"id": "T4", "tier": "basic", "hours": 100}]
(let [limits {"gold" 4 "silver" 24}]
  (for [{:keys [id tier hours]} data/tickets
        :let [limit (get limits tier 72)]
        :when (> hours limit)]
    {:id id :over (- hours limit)}))
;;;; conversation summary
(let [messages [{:from :customer :text "Hello, my parcel is lost"}
                {:from :agent :text "Sorry to hear. What is the number?"}
                {:from :customer :text "It is 4711"}
                {:from :customer :text "Sent last week"}
                {:from :agent :text "Thanks, I am checking"}]
      turns (partition-by :from messages)]
  (mapv (fn [turn]
          {:from (:from (first turn))
           :messages (count turn)
           :words (reduce + (map #(count (re-seq #"\w+" (:text %))) turn))})
        turns))
;;;; duplicate detection
(require '[clojure.string :as str])
(defn normalise [title]
  (-> title
      str/lower-case
      (str/replace #"[^a-z0-9 ]" "")
      (str/replace #"\s+" " ")
      str/trim))

(let [tickets [{:id 1 :title "App crashes!"} {:id 2 :title "Login  broken"} {:id 3 :title "app CRASHES"} {:id 4 :title "login broken."}]]
  (->> tickets
       (group-by (comp normalise :title))
       (filter (fn [[_ group]] (> (count group) 1)))
       (map (fn [[title group]] [title (mapv :id group)]))
       (into (sorted-map))))
;;;; ticket state machine
(def transitions
  {:new #{:open :closed}
   :open #{:waiting :resolved}
   :waiting #{:open}
   :resolved #{:closed :open}})

(defn step [ticket target]
  (if (contains? (transitions (:state ticket)) target)
    (-> ticket (assoc :state target) (update :history conj target))
    (throw (ex-info "illegal transition" {:from (:state ticket) :to target}))))

(let [run (fn [targets]
            (try
              (reduce step {:state :new :history [:new]} targets)
              (catch clojure.lang.ExceptionInfo e
                {:error (ex-message e) :data (ex-data e)})))]
  [(run [:open :waiting :open :resolved :closed])
   (run [:open :closed])])
;;;; satisfaction score
;data ratings [{"agent": "ann", "score": 5}, {"agent": "ben", "score": 3}, {"agent": "ann", "score": 4}, {"agent": "ben", "score": null}, {"agent": "cleo", "score": 1}]
(let [scored (filter #(number? (get % "score")) data/ratings)
      totals (reduce (fn [acc {agent "agent" score "score"}]
                       (-> acc
                           (update-in [agent :sum] (fnil + 0) score)
                           (update-in [agent :n] (fnil inc 0))))
                     {} scored)]
  (reduce-kv (fn [m agent {:keys [sum n]}]
               (assoc m agent (/ sum (double n))))
             {} totals))
;;;; tags cloud
(let [tickets [{:tags ["ui" "bug"]} {:tags ["bug" "ios"]} {:tags []} {:tags ["ui" "bug" "android"]}]
      counts (frequencies (mapcat :tags tickets))
      top (sort-by (fn [[tag n]] [(- n) tag]) counts)]
  {:top (first top)
   :all (map (fn [[tag n]] (str tag ":" (apply str (repeat n "*")))) top)
   :untagged (count (filter (comp empty? :tags) tickets))})
