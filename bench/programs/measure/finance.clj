;;;; depreciation
(defn straight-line [{:keys [cost salvage years]}]
  (let [per-year (quot (- cost salvage) years)]
    (mapv (fn [y] {:year y :value (- cost (* per-year y))}) (range (inc years)))))
(let [table (straight-line {:cost 10000 :salvage 1000 :years 3})]
  {:table table :end (:value (peek table)) :half (first (filter #(< (:value %) 5500) table))})
;;;; portfolio value
(def prices {"AAA" [10.0 11.0 12.5] "BBB" [100.0 90.0 95.0]})
(def holdings {"AAA" 10 "BBB" 2})
(let [days (count (first (vals prices)))
      value-on (fn [d] (reduce + (for [[symbol n] holdings] (* n (get-in prices [symbol d])))))
      values (mapv value-on (range days))
      changes (map (fn [[a b]] (- b a)) (partition 2 1 values))]
  {:values values :best-day (inc (.indexOf (vec changes) (apply max changes))) :gain (- (peek values) (first values))})
;;;; tax brackets
(def brackets [[10000 0] [30000 20] [60000 35] [nil 45]])
(defn tax [income]
  (loop [[[top rate] & more] brackets lower 0 due 0]
    (let [slice (- (if top (min income top) income) lower)]
      (if (or (nil? top) (<= income top))
        (+ due (quot (* slice rate) 100))
        (recur more top (+ due (quot (* slice rate) 100)))))))
(map (juxt identity tax) [5000 25000 45000 100000])
;;;; bank statement categories
;data statement [{"text": "REWE MARKT 123", "amount": -54.2}, {"text": "Salary ACME", "amount": 3000.0}, {"text": "Shell Station", "amount": -60.0}, {"text": "rewe to go", "amount": -5.8}, {"text": "Unknown Ltd", "amount": -1.0}]
(let [categories [[#"(?i)rewe|edeka|lidl" :groceries] [#"(?i)shell|aral" :fuel] [#"(?i)salary" :income]]
      category (fn [text] (or (first (for [[re c] categories :when (re-find re text)] c)) :other))
      sums (reduce (fn [m {:strs [text amount]}] (update m (category text) (fnil + 0.0) amount)) {} data/statement)]
  {:sums sums
   :biggest-expense (first (apply min-key val sums))})
;;;; fifo cost
(defn sell [{:keys [lots profit]} n price]
  (loop [[{:keys [qty cost] :as lot} & more :as lots] lots n n profit profit]
    (cond
      (zero? n) {:lots (vec lots) :profit profit}
      (nil? lot) (throw (ex-info "short sale" {:missing n}))
      (<= qty n) (recur more (- n qty) (+ profit (* qty (- price cost))))
      :else (recur (cons (update lot :qty - n) more) 0 (+ profit (* n (- price cost)))))))
(-> {:lots [{:qty 10 :cost 5} {:qty 10 :cost 7}] :profit 0}
    (sell 4 8)
    (sell 10 9))
;;;; budget check
(let [budget {:rent 900 :food 400 :fun 150}
      spent [[:food 120] [:fun 90] [:food 310] [:rent 900] [:fun 20] [:gifts 35]]
      totals (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} spent)]
  (sort-by :left
           (for [k (distinct (concat (keys budget) (keys totals)))
                 :let [b (get budget k 0) s (get totals k 0)]]
             {:what k :left (- b s) :over? (> s b)})))
;;;; installment plan
(defn plan [total n first-day]
  (let [each (quot total n)
        rest-cents (- total (* each n))
        start (LocalDate/parse first-day)]
    (map (fn [i]
           {:due (str (.plusMonths start i))
            :cents (if (= i (dec n)) (+ each rest-cents) each)})
         (range n))))
(plan 10000 3 "2024-01-31")
;;;; correlation
(defn average [xs] (/ (apply + xs) (double (count xs))))
(let [xs [1 2 3 4 5]
      ys [2 4 6 8 10]
      [mx my] (map average [xs ys])
      deviations (map (fn [x y] [(- x mx) (- y my)]) xs ys)
      top (reduce + (map (fn [[a b]] (* a b)) deviations))
      square-sum (fn [f] (reduce + (map #(let [d (f %)] (* d d)) deviations)))]
  {:r (/ top (Math/sqrt (* (square-sum first) (square-sum second))))
   :slope (/ top (square-sum first))})
;;;; reconcile payments
;keys keyword
;data books {"invoices": [{"no": "A1", "amount": 100}, {"no": "A2", "amount": 250}, {"no": "A3", "amount": 70}], "payments": [{"ref": "Re A2", "amount": 250}, {"ref": "inv. A1 part", "amount": 60}, {"ref": "thanks", "amount": 5}]}
(let [{:keys [invoices payments]} data/books
      paid (reduce (fn [m {:keys [ref amount]}]
                     (update m (or (re-find #"\bA\d+\b" ref) :unmatched) (fnil + 0) amount))
                   {} payments)
      status (fn [{:keys [no amount]}]
               (let [p (get paid no 0)]
                 [no (cond (= p amount) :paid (zero? p) :open (< p amount) [:partly (- amount p)] :else :overpaid)]))]
  (assoc (into {} (map status) invoices) :unmatched (:unmatched paid)))
;;;; fair rounding of shares
(defn allocate [total weights]
  (let [sum (apply + weights)
        raw (mapv #(quot (* total %) sum) weights)
        missing (- total (reduce + raw))
        order (map first (sort-by (fn [[i w]] [(- (mod (* total w) sum)) i]) (map-indexed vector weights)))]
    (reduce (fn [shares i] (update shares i inc)) raw (take missing order))))
[(allocate 100 [1 1 1]) (allocate 7 [5 3 2]) (allocate 0 [1 2])]
