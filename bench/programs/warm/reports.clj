;;;; aligned table
(require '[clojure.string :as str])
(defn pad [width s] (str s (apply str (repeat (- width (count s)) " "))))
(let [rows [["item" "qty"] ["apple" "3"] ["watermelon" "12"]]
      widths (apply map (fn [& column] (apply max (map count column))) rows)]
  (str/join "\n" (map (fn [row] (str/join " | " (map pad widths row))) rows)))
;;;; monthly totals
;data sales [{"date": "2024-01-15", "amount": 100}, {"date": "2024-01-20", "amount": 50}, {"date": "2024-02-01", "amount": 75}, {"date": "2024-03-09", "amount": 20}]
(let [totals (reduce (fn [acc {:strs [date amount]}]
                       (update acc (subs date 0 7) (fnil + 0) amount))
                     (sorted-map)
                     data/sales)]
  (doseq [[month total] totals]
    (println (format "%s %6d" month total)))
  totals)
;;;; csv to maps
(let [csv "name,qty,price\nbolt,10,0.25\nnut,20,0.10\nscrew,5,1.50"
      [header & rows] (map #(clojure.string/split % #",") (clojure.string/split-lines csv))
      ks (map keyword header)
      records (map #(zipmap ks %) rows)
      typed (map (fn [r] (-> r (update :qty parse-long) (update :price parse-double))) records)]
  {:records typed
   :value (reduce + (map #(* (:qty %) (:price %)) typed))})
;;;; percent of total
(let [votes {"red" 45 "blue" 30 "green" 25}
      total (reduce + (vals votes))]
  (->> votes
       (sort-by val >)
       (map (fn [[k n]] (format "%-6s %5.1f%%" k (* 100.0 (/ n (double total))))))))
;;;; markdown list
(defn item [depth {:keys [text children]}]
  (let [indent (clojure.string/join (repeat depth "  "))]
    (str indent "- " text "\n"
         (apply str (map (partial item (inc depth)) children)))))
(item 0 {:text "Plan" :children [{:text "Buy" :children [{:text "milk"}]} {:text "Sell"}]})
;;;; histogram
(let [values [1 3 7 2 9 4 4 8 3 1 6 5]
      buckets (group-by #(quot % 3) values)]
  (for [b (range 0 4)
        :let [n (count (buckets b))]]
    (str (* b 3) "-" (+ 2 (* b 3)) ": " (apply str (repeat n \#)))))
;;;; pivot
(let [rows [{:region "n" :q 1 :v 10} {:region "s" :q 1 :v 20} {:region "n" :q 2 :v 5} {:region "n" :q 1 :v 1}]
      quarters (sort (distinct (map :q rows)))]
  (into {}
        (map (fn [[region rs]]
               [region (mapv (fn [q] (reduce + (map :v (filter #(= q (:q %)) rs)))) quarters)]))
        (group-by :region rows)))
;;;; duration text
(defn duration [seconds]
  (let [parts [[86400 "d"] [3600 "h"] [60 "m"] [1 "s"]]]
    (loop [left seconds [[size unit] & more] parts out []]
      (if (nil? size)
        (if (seq out) (clojure.string/join " " out) "0s")
        (let [n (quot left size)]
          (recur (rem left size) more (if (pos? n) (conj out (str n unit)) out)))))))
(map duration [0 59 3600 93784])
;;;; ranking with ties
(let [scores [["ann" 50] ["ben" 70] ["cem" 50] ["dee" 90]]
      sorted (sort-by second > scores)]
  (map (fn [[who score]]
         {:who who :rank (inc (count (filter #(> (second %) score) scores)))})
       sorted))
;;;; text bar of sales
;keys keyword
;data weeks [{"week": 1, "units": 4}, {"week": 2, "units": 9}, {"week": 3, "units": 0}]
(let [most (apply max (map :units data/weeks))]
  (with-out-str
    (doseq [{:keys [week units]} data/weeks
            :let [width (quot (* 10 units) most)]]
      (println (str "w" week) (apply str (concat (repeat width "=") (repeat (- 10 width) "."))) units))))
