;;;; count levels
(def log "2024-05-01 10:00:01 INFO start
2024-05-01 10:00:02 WARN disk 91%
2024-05-01 10:00:05 ERROR write failed
2024-05-01 10:01:00 INFO retry
2024-05-01 10:01:01 ERROR write failed")

(->> (clojure.string/split-lines log)
     (map #(nth (clojure.string/split % #"\s+") 2))
     frequencies)
;;;; parse access log
(def pattern #"(\S+) - - \[([^\]]+)\] \"(\w+) (\S+) [^\"]+\" (\d{3}) (\d+)")

(defn parse-line [line]
  (let [[match ip time method path status size] (re-find pattern line)]
    (when match
      {:ip ip :time time :method (keyword (clojure.string/lower-case method))
       :path path :status (parse-long status) :size (parse-long size)})))

(let [lines ["10.0.0.1 - - [01/May/2024:10:00:00] \"GET /index.html HTTP/1.1\" 200 512"
             "10.0.0.2 - - [01/May/2024:10:00:03] \"POST /login HTTP/1.1\" 401 64"
             "garbage"
             "10.0.0.1 - - [01/May/2024:10:00:07] \"GET /missing HTTP/1.1\" 404 128"]
      entries (keep parse-line lines)]
  {:entries (count entries)
   :errors (mapv (juxt :method :path :status) (filter #(>= (:status %) 400) entries))
   :bytes-by-ip (reduce (fn [m {:keys [ip size]}] (update m ip (fnil + 0) size)) {} entries)})
;;;; slowest endpoints
;data requests [{"path": "/a", "ms": 120}, {"path": "/b", "ms": 30}, {"path": "/a", "ms": 480}, {"path": "/c", "ms": 55}, {"path": "/b", "ms": 31}]
(let [by-path (group-by #(get % "path") data/requests)
      stats (for [[path rs] by-path
                  :let [times (map #(get % "ms") rs)]]
              {:path path :n (count times) :max (apply max times) :mean (quot (apply + times) (count times))})]
  (->> stats (sort-by :mean) reverse (take 2)))
;;;; sessions by gap
(defn sessions [gap events]
  (reduce (fn [acc {:keys [t] :as e}]
            (let [current (peek acc)]
              (if (and current (<= (- t (:t (peek current))) gap))
                (conj (pop acc) (conj current e))
                (conj acc [e]))))
          []
          (sort-by :t events)))

(let [events [{:t 100 :page "home"} {:t 130 :page "cart"} {:t 900 :page "home"} {:t 960 :page "help"} {:t 110 :page "item"}]]
  (for [s (sessions 60 events)]
    {:start (:t (first s)) :end (:t (last s)) :pages (map :page s)}))
;;;; error context
(let [lines ["boot" "load config" "ERROR missing key" "stop" "boot" "load config" "ready" "ERROR timeout" "retry" "ready"]
      indexed (map-indexed vector lines)
      bad (keep (fn [[i line]] (when (clojure.string/starts-with? line "ERROR") i)) indexed)]
  (mapv (fn [i]
          {:line (inc i)
           :text (subs (nth lines i) 6)
           :before (nth lines (dec i) nil)
           :after (get lines (inc i))})
        bad))
;;;; key value fields
(defn parse-fields [line]
  (into {}
        (for [[_ k quoted plain] (re-seq #"(\w+)=(?:\"([^\"]*)\"|(\S+))" line)]
          [(keyword k) (or quoted plain)])))

(let [rows (map parse-fields
                ["level=info msg=\"server started\" port=8080"
                 "level=warn msg=\"slow query\" ms=1532 table=users"
                 "level=info msg=stopped"])]
  {:messages (mapv :msg rows)
   :slow (first (filter #(some-> (:ms %) parse-long (> 1000)) rows))
   :keys (sort (distinct (mapcat keys rows)))})
;;;; requests per minute
(let [stamps ["10:00:01" "10:00:40" "10:01:02" "10:01:03" "10:01:59" "10:04:00"]
      minute #(subs % 0 5)
      counts (frequencies (map minute stamps))
      busiest (apply max-key val counts)]
  (println "busiest minute:" (key busiest) "with" (val busiest))
  (doseq [[m n] (sort counts)]
    (println m (apply str (repeat n "#"))))
  counts)
;;;; collapse repeated messages
(let [messages ["a" "a" "a" "b" "c" "c" "a"]]
  (->> messages
       (partition-by identity)
       (map (fn [group]
              (if (> (count group) 1)
                (str (first group) " (x" (count group) ")")
                (first group))))
       (clojure.string/join "\n")))
;;;; restart counter
(defn analyse [events]
  (loop [[e & more] events
         state {:up false :restarts 0 :crashes []}]
    (if (nil? e)
      state
      (case (:type e)
        :start (recur more (cond-> (assoc state :up true)
                             (seq (:crashes state)) (update :restarts inc)))
        :crash (recur more (-> state
                               (assoc :up false)
                               (update :crashes conj (:at e))))
        :stop (recur more (assoc state :up false))
        (recur more state)))))

(analyse [{:type :start :at 0} {:type :ping :at 2} {:type :crash :at 5} {:type :start :at 6} {:type :crash :at 9} {:type :start :at 10} {:type :stop :at 20}])
;;;; stack trace roots
(require '[clojure.string :as str])
(let [trace "java.lang.RuntimeException: request failed
    at app.web$handler.invoke(web.clj:42)
    at app.core$run.invoke(core.clj:10)
Caused by: java.io.IOException: connection reset
    at app.net$fetch.invoke(net.clj:7)"
      lines (map str/trim (str/split trace #"\n"))
      frame (fn [l] (when-let [[_ file n] (re-find #"\((\w+\.clj):(\d+)\)" l)]
                      [file (parse-long n)]))]
  {:causes (->> lines
                (filter #(re-find #"^(Caused by: )?[\w.]+Exception:" %))
                (map #(str/replace % #"^Caused by: " "")))
   :frames (vec (keep frame lines))
   :files (into (sorted-set) (map first) (keep frame lines))})
