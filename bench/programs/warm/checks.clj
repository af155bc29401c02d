;;;; validate signup form
(defn problems [{:keys [name email age]}]
  (cond-> []
    (clojure.string/blank? name) (conj "name is required")
    (not (and email (re-matches #"[^@\s]+@[^@\s]+\.[a-z]+" email))) (conj "email is invalid")
    (not (and (int? age) (<= 18 age 120))) (conj "age must be 18 to 120")))
(map (fn [form] (let [errors (problems form)]
                  (if (seq errors) {:ok false :errors errors} {:ok true})))
     [{:name "Ada" :email "ada@example.org" :age 36}
      {:name " " :email "nope" :age 12}
      {:email nil :age "x"}])
;;;; safe division
(defn safe-div [a b]
  (try
    {:ok (/ a b)}
    (catch ArithmeticException e
      {:error (.getMessage e)})))
(mapv (fn [[a b]] (safe-div a b)) [[10 2] [1 0] [9 3]])
;;;; retry with attempts
(defn retry [n f]
  (loop [attempt 1]
    (let [result (try
                   {:value (f attempt)}
                   (catch Exception e
                     {:failed (ex-message e)}))]
      (if (and (:failed result) (< attempt n))
        (recur (inc attempt))
        (assoc result :attempts attempt)))))
[(retry 3 (fn [i] (if (< i 3) (throw (ex-info (str "try " i) {})) :done)))
 (retry 2 (fn [_] (throw (IllegalStateException. "down"))))]
;;;; collect row errors
;data rows [{"line": 1, "price": "12.50", "qty": "3"}, {"line": 2, "price": "abc", "qty": "1"}, {"line": 3, "price": "7.25", "qty": "-2"}]
(defn parse-row [row]
  (let [price (parse-double (get row "price"))
        qty (parse-long (get row "qty"))]
    (cond
      (nil? price) {:line (get row "line") :error "bad price"}
      (not (pos? qty)) {:line (get row "line") :error "bad quantity"}
      :else {:line (get row "line") :total (* price qty)})))
(let [{errors true good false} (group-by #(contains? % :error) (map parse-row data/rows))]
  {:errors errors :total (reduce + 0 (map :total good))})
;;;; schema check
(def schema {:id int? :name string? :tags (every-pred vector? #(every? keyword? %))})
(defn explain [schema value]
  (for [[k ok?] schema
        :let [v (get value k ::missing)]
        :when (or (= v ::missing) (not (ok? v)))]
    {:key k :problem (if (= v ::missing) :missing :invalid)}))
[(explain schema {:id 1 :name "x" :tags [:a]})
 (explain schema {:id "1" :tags [:a "b"]})]
;;;; password strength
(let [tests {"length" #(>= (count %) 10)
             "digit" #(re-find #"\d" %)
             "upper" #(re-find #"[A-Z]" %)
             "symbol" #(re-find #"[^A-Za-z0-9]" %)}
      missing (fn [p] (sort (keep (fn [[label ok?]] (when-not (ok? p) label)) tests)))]
  (map (fn [p] {:strength (- 4 (count (missing p))) :missing (missing p)})
       ["secret" "Secret123!" "longlonglonglong" "Aa1!"]))
;;;; invariant with ex-info
(defn withdraw [balance amount]
  (when (neg? amount)
    (throw (ex-info "negative amount" {:code :bad-amount :amount amount})))
  (if (> amount balance)
    (throw (ex-info "insufficient funds" {:code :funds :missing (- amount balance)}))
    (- balance amount)))
(defn attempt [balance amount]
  (try
    [:ok (withdraw balance amount)]
    (catch clojure.lang.ExceptionInfo e
      (let [{:keys [code] :as data} (ex-data e)]
        [:error code (dissoc data :code) (ex-message e)]))))
(map (partial apply attempt) [[100 30] [100 130] [50 -1]])
;;;; first failing check
(defn check [value & preds]
  (reduce (fn [_ [label p]]
            (if (p value) :ok (reduced label)))
          :ok
          (partition 2 preds)))
[(check 8 "positive" pos? "even" even? "small" #(< % 10))
 (check 7 "positive" pos? "even" even? "small" #(< % 10))
 (check -7 "positive" pos? "even" even?)]
;;;; luhn
(defn luhn? [s]
  (let [digits (map #(Character/digit % 10) (reverse (remove #{\space} s)))
        doubled (map-indexed (fn [i d]
                               (if (odd? i)
                                 (let [x (* 2 d)] (if (> x 9) (- x 9) x))
                                 d))
                             digits)]
    (zero? (mod (reduce + doubled) 10))))
(map luhn? ["4539 3195 0343 6467" "8273 1232 7352 0569"])
;;;; cleanup with finally
(def log (atom []))
(defn with-resource [name f]
  (swap! log conj [:open name])
  (try
    (f name)
    (catch IllegalArgumentException e
      (swap! log conj [:error (ex-message e)])
      :recovered)
    (finally
      (swap! log conj [:close name]))))
(let [a (with-resource "db" (fn [n] (count n)))
      b (with-resource "file" (fn [_] (throw (IllegalArgumentException. "no such file"))))]
  {:results [a b] :log @log})
