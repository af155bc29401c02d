;;;; mean and deviation
(defn mean [xs] (/ (reduce + xs) (double (count xs))))
(defn deviation [xs]
  (let [m (mean xs)]
    (Math/sqrt (mean (map #(let [d (- % m)] (* d d)) xs)))))
(let [xs [2 4 4 4 5 5 7 9]]
  {:mean (mean xs) :deviation (deviation xs)})
;;;; loan schedule
(defn schedule [principal rate payment]
  (loop [balance principal month 1 rows []]
    (if (or (<= balance 0) (> month 100))
      rows
      (let [interest (quot (* balance rate) 1200)
            paid (min payment (+ balance interest))
            left (- (+ balance interest) paid)]
        (recur left (inc month) (conj rows {:month month :interest interest :paid paid :left left}))))))
(let [rows (schedule 100000 12 25000)]
  {:months (count rows) :interest (reduce + (map :interest rows)) :last (peek rows)})
;;;; moving average
(let [prices [10 11 13 12 15 18 17]
      averages (map #(/ (reduce + %) 3.0) (partition 3 1 prices))]
  {:averages (map #(/ (Math/round (* % 100.0)) 100.0) averages)
   :up-days (count (filter (fn [[a b]] (< a b)) (partition 2 1 prices)))})
;;;; currency conversion
(let [rates {:usd 1.0 :eur 0.5 :gbp 0.25}
      convert (fn [amount from to]
                (if-let [rf (rates from)]
                  (if-let [rt (rates to)]
                    (* (/ amount rf) rt)
                    (str "no rate for " (name to)))
                  (str "no rate for " (name from))))]
  [(convert 10.0 :eur :usd) (convert 8.0 :usd :gbp) (convert 1.0 :usd :jpy)])
;;;; invoice text
;data invoice {"number": "2024-17", "lines": [{"text": "Consulting", "hours": 3, "rate": 80}, {"text": "Travel", "hours": 1, "rate": 45}]}
(let [{:strs [number lines]} data/invoice
      totals (map (fn [{:strs [hours rate]}] (* hours rate)) lines)
      net (apply + totals)
      vat (quot (* net 19) 100)]
  (clojure.string/join
   "\n"
   (concat [(str "Invoice " number)]
           (map (fn [{:strs [text]} t] (str "  " text ": " t)) lines totals)
           [(str "Net " net) (str "VAT " vat) (str "Total " (+ net vat))])))
;;;; running balance
(let [entries [["salary" 2500] ["rent" -900] ["food" -310] ["gift" 50]]]
  (map (fn [[what amount] balance] {:what what :amount amount :balance balance})
       entries
       (rest (reductions + 0 (map second entries)))))
;;;; detect outliers
(let [values [10 12 11 13 12 95 11 10 2]
      sorted (vec (sort values))
      n (count sorted)
      q1 (sorted (quot n 4))
      q3 (sorted (quot (* 3 n) 4))
      iqr (- q3 q1)
      low (- q1 (* 1.5 iqr))
      high (+ q3 (* 1.5 iqr))]
  {:q1 q1 :q3 q3 :outliers (remove #(<= low % high) values)})
;;;; split a bill
(defn split-bill [total people]
  (let [n (count people)
        base (quot total n)
        extra (rem total n)]
    (zipmap people (map-indexed (fn [i _] (if (< i extra) (inc base) base)) people))))
(let [shares (split-bill 1000 ["ann" "ben" "cem"])]
  [shares (= 1000 (reduce + (vals shares)))])
;;;; settle debts
(defn settle [balances]
  (loop [b balances moves []]
    (let [[debtor d] (apply min-key val b)
          [creditor c] (apply max-key val b)
          amount (min (- d) c)]
      (if (zero? amount)
        moves
        (recur (-> b (update debtor + amount) (update creditor - amount))
               (conj moves {:from debtor :to creditor :amount amount}))))))
(settle {:ann 50 :ben -30 :cem -20})
;;;; compound growth
(let [grow (fn [amount rate] (+ amount (* amount rate)))
      years (take-while #(< (second %) 2000.0)
                        (iterate (fn [[y a]] [(inc y) (grow a 0.25)]) [0 1000.0]))]
  {:years (count years) :last (last years)})
