;;;; top talkers
;data lines ["host=web1 bytes=100", "host=web2 bytes=250", "host=web1 bytes=900", "host=db bytes=10", "broken"]
(let [parsed (for [line data/lines
                   :let [[_ host bytes] (re-find #"host=(\w+) bytes=(\d+)" line)]
                   :when host]
               [host (Long/parseLong bytes)])
      totals (reduce (fn [m [h b]] (merge-with + m {h b})) {} parsed)]
  {:total (reduce + (vals totals))
   :share (into (sorted-map) (map (fn [[h b]] [h (quot (* 100 b) 1260)])) totals)})
;;;; correlate requests by id
(def events
  [{:id "r1" :event :start :at 0} {:id "r2" :event :start :at 5} {:id "r1" :event :db :at 12}
   {:id "r1" :event :end :at 40} {:id "r3" :event :start :at 50} {:id "r2" :event :end :at 55}])
(let [requests (vals (reduce (fn [m {:keys [id event at]}]
                               (assoc-in m [id event] at))
                             {} events))
      finished (filter :end requests)
      durations (map (fn [{:keys [start end]}] (- end start)) finished)]
  {:finished (count finished)
   :hanging (- (count requests) (count finished))
   :p50 (nth (sort durations) (quot (count durations) 2))
   :with-db (count (filter :db requests))})
;;;; filter by time window
(require '[clojure.string :as string])
(defn seconds [stamp]
  (let [[h m s] (mapv parse-long (string/split stamp #":"))]
    (+ (* h 3600) (* m 60) s)))
(let [lines ["08:59:59 warm up" "09:00:00 open" "09:30:10 sale 12" "10:00:00 close" "10:00:01 count"]
      from (seconds "09:00:00")
      to (seconds "10:00:00")]
  (->> lines
       (map #(string/split % #" " 2))
       (filter (fn [[stamp]] (<= from (seconds stamp) to)))
       (map second)))
;;;; alert on consecutive failures
(defn alerts [threshold checks]
  (:alerts
   (reduce (fn [{:keys [streak alerts]} {:keys [ok at]}]
             (let [streak (if ok 0 (inc streak))]
               {:streak streak
                :alerts (if (= streak threshold) (conj alerts at) alerts)}))
           {:streak 0 :alerts []}
           checks)))
(alerts 3 (map-indexed (fn [i c] {:at i :ok (= c \.)}) "..xxx.xx.xxxxx."))
;;;; json lines
;own {:levels {"info" 2, "error" 1}, :slow ["slow"], :ms 270}
(let [text "{\"level\":\"info\",\"ms\":12}\n{\"level\":\"error\",\"ms\":250,\"msg\":\"slow\"}\n\n{\"level\":\"info\",\"ms\":8}"
      records (map #(json/parse-string % true) (remove clojure.string/blank? (clojure.string/split-lines text)))]
  {:levels (frequencies (map :level records))
   :slow (->> records (filter #(> (:ms %) 100)) (mapv :msg))
   :ms (apply + (map :ms records))})
;;;; severity rank and mute list
(def severity {:debug 0 :info 1 :warn 2 :error 3})
(defn visible? [minimum muted {:keys [level logger]}]
  (and (>= (severity level 0) (severity minimum))
       (not-any? #(clojure.string/starts-with? logger %) muted)))
(let [records [{:level :debug :logger "app.db" :text "query"} {:level :error :logger "lib.http" :text "500"} {:level :warn :logger "app.auth" :text "bad token"} {:level :info :logger "app.web" :text "GET /"}]]
  (map :text (filter (partial visible? :info ["lib."]) records)))
;;;; first and last seen
;keys keyword
;data seen [{"user": "u1", "day": 3}, {"user": "u2", "day": 1}, {"user": "u1", "day": 9}, {"user": "u1", "day": 5}, {"user": "u2", "day": 2}]
(reduce (fn [m {:keys [user day]}]
          (if-let [{:keys [from to n]} (get m user)]
            (assoc m user {:from (min from day) :to (max to day) :n (inc n)})
            (assoc m user {:from day :to day :n 1})))
        (sorted-map)
        data/seen)
;;;; fingerprint messages
(defn fingerprint [message]
  (-> message
      (clojure.string/replace #"0x[0-9a-f]+" "<addr>")
      (clojure.string/replace #"\d+" "<n>")
      (clojure.string/replace #"'[^']*'" "<str>")))
(let [messages ["user 12 not found" "user 99 not found" "cannot open 'a.txt'" "segfault at 0xbeef" "cannot open 'b c.txt'"]
      groups (group-by fingerprint messages)]
  (sort-by (comp - :count)
           (for [[print ms] groups] {:print print :count (count ms) :example (first ms)})))
;;;; gaps in heartbeat
(let [beats [0 10 20 45 55 120]
      gaps (keep (fn [[a b]] (let [d (- b a)] (when (> d 15) {:after a :missing (dec (quot d 10))})))
                 (map vector beats (rest beats)))]
  (if (empty? gaps)
    "steady"
    (str (count gaps) " gaps, " (reduce + (map :missing gaps)) " beats lost, worst after "
         (:after (apply max-key :missing gaps)))))
;;;; audit trail
(def state (atom {:config {} :trail []}))
(defn change! [who path value]
  (let [before (get-in (:config @state) path)]
    (when (not= before value)
      (swap! state (fn [s]
                     (-> s
                         (assoc-in (into [:config] path) value)
                         (update :trail conj {:who who :path path :from before :to value})))))))
(change! "ann" [:mail :host] "a.example")
(change! "ben" [:mail :host] "b.example")
(change! "ben" [:mail :host] "b.example")
(change! "ann" [:debug] true)
(let [{:keys [config trail]} @state]
  {:config config :changes (count trail) :by (frequencies (map :who trail)) :last (last trail)})
