;;;; parse with fallback
(defn to-int [s]
  (try
    (Integer/parseInt s)
    (catch NumberFormatException _ nil)))
(let [inputs ["42" "4x" "" "-7" "007"]]
  {:parsed (mapv to-int inputs)
   :sum (reduce + (keep to-int inputs))
   :bad (filterv (comp nil? to-int) inputs)})
;;;; booking conflicts
(defn conflict? [a b]
  (and (= (:room a) (:room b))
       (< (:from a) (:to b))
       (< (:from b) (:to a))))
(defn book [bookings request]
  (if-let [other (first (filter #(conflict? % request) bookings))]
    (throw (ex-info "room is taken" {:by (:who other) :wanted request}))
    (conj bookings request)))
(loop [todo [{:who :ann :room 1 :from 9 :to 11} {:who :ben :room 1 :from 10 :to 12} {:who :cem :room 2 :from 10 :to 12} {:who :dee :room 1 :from 11 :to 12}]
       bookings [] refused []]
  (if-let [[request & more] (seq todo)]
    (let [result (try (book bookings request) (catch Exception e (ex-data e)))]
      (if (map? result)
        (recur more bookings (conj refused [(get-in result [:wanted :who]) (:by result)]))
        (recur more result refused)))
    {:booked (map :who bookings) :refused refused}))
;;;; isbn check digit
(defn isbn-valid? [isbn]
  (let [digits (map #(- (int %) 48) (clojure.string/replace isbn "-" ""))]
    (and (= 13 (count digits))
         (zero? (rem (reduce + (map * digits (cycle [1 3]))) 10)))))
(into [] (map (fn [i] [i (isbn-valid? i)])) ["978-3-16-148410-0" "978-3-16-148410-1" "123"])
;;;; required and optional arguments
(defn create-user [{:keys [login role groups] :or {role :member groups []}}]
  {:pre [(string? login) (keyword? role)]}
  {:login login :role role :groups (set groups)})
[(create-user {:login "ann"})
 (create-user {:login "ben" :role :admin :groups ["a" "b" "a"]})
 (try (create-user {:role :admin}) (catch AssertionError _ :rejected))]
;;;; error report by kind
;data results [{"ok": true, "value": 3}, {"ok": false, "error": {"kind": "timeout", "after": 30}}, {"ok": false, "error": {"kind": "denied"}}, {"ok": false, "error": {"kind": "timeout", "after": 10}}]
(let [failures (keep #(when-not (get % "ok") (get % "error")) data/results)]
  (cond-> {:ok (- (count data/results) (count failures))}
    (seq failures) (assoc :kinds (frequencies (map #(keyword (get % "kind")) failures)))
    (some #(get % "after") failures) (assoc :longest (reduce max (keep #(get % "after") failures)))))
;;;; chain of steps with some->
(def users {"t-1" {:id 1 :plan "pro"}})
(def plans {"pro" {:quota 100}})
(defn quota [token]
  (some-> token
          clojure.string/trim
          not-empty
          users
          :plan
          plans
          :quota
          (- 1)))
(map quota ["t-1" " t-1 " "t-2" "" nil])
;;;; classify exceptions
(defn outcome [f]
  (try
    (let [v (f)] (if (nil? v) :nothing [:value v]))
    (catch ArithmeticException _ :arithmetic)
    (catch ClassCastException _ :wrong-type)
    (catch IndexOutOfBoundsException _ :out-of-range)
    (catch clojure.lang.ExceptionInfo e [:custom (:code (ex-data e))])
    (catch Exception e [:other (.getMessage e)])))
(mapv outcome [#(quot 1 0) #(+ 1 "2") #(nth [1 2] 7) #(throw (ex-info "x" {:code 42})) #(throw (RuntimeException. "odd")) #(get {} :a) #(+ 1 1)])
;;;; sudoku row check
(let [rows [[5 3 4 6 7 8 9 1 2] [6 7 2 1 9 5 3 4 8] [1 9 8 3 4 2 5 6 6]]
      complete? (fn [row] (= (set row) (set (range 1 10))))
      doubled (fn [row] (keep (fn [[n c]] (when (> c 1) n)) (frequencies row)))]
  (map-indexed (fn [i row] (if (complete? row) [i :ok] [i :doubled (vec (doubled row))])) rows))
;;;; nested cause
(defn load-config [text]
  (try
    (or (parse-long text) (throw (ex-info "not a number" {:text text})))
    (catch clojure.lang.ExceptionInfo e
      (throw (ex-info "config is broken" {:key :port} e)))))
(try
  (load-config "eighty")
  (catch Exception e
    {:message (ex-message e)
     :data (ex-data e)
     :causes (mapv ex-message (take-while some? (iterate ex-cause e)))
     :root (ex-data (last (take-while some? (iterate ex-cause e))))}))
;;;; guard against cycles
(defn resolve-alias [aliases k]
  (loop [k k seen #{}]
    (cond
      (seen k) {:error :cycle :at k}
      (contains? aliases k) (recur (aliases k) (conj seen k))
      :else k)))
(let [aliases {:a :b :b :c :x :y :y :x}]
  (into (sorted-map) (for [k [:a :b :c :x]] [k (resolve-alias aliases k)])))
