;;;; receipt
(def basket [["Coffee" 2 350] ["Bagel" 1 425] ["Orange juice, large" 1 590]])
(defn money [cents] (format "%d.%02d" (quot cents 100) (rem cents 100)))
(defn row [left right] (str left (apply str (repeat (- 30 (count left) (count right)) ".")) right))
(let [total (reduce + (map (fn [[_ n price]] (* n price)) basket))]
  (doseq [[what n price] basket]
    (println (row (if (= n 1) what (str n " " what)) (money (* n price)))))
  (println (row "TOTAL" (money total)))
  total)
;;;; calendar month
(defn month-grid [first-weekday days]
  (->> (concat (repeat first-weekday nil) (range 1 (inc days)))
       (partition-all 7)
       (map (fn [week] (clojure.string/trimr (clojure.string/join " " (map #(format "%2s" (or % "")) week)))))))
(clojure.string/join "\n" (cons "Mo Tu We Th Fr Sa Su" (month-grid 3 29)))
;;;; compare two periods
;data figures {"last": {"visits": 1000, "orders": 40, "returns": 5}, "this": {"visits": 1300, "orders": 39, "refunds": 2}}
(let [{before "last" now "this"} data/figures
      names (sort (clojure.set/union (set (keys before)) (set (keys now))))]
  (for [n names
        :let [a (get before n) b (get now n)]]
    (cond
      (nil? a) (str n ": new " b)
      (nil? b) (str n ": gone")
      :else (let [change (- b a)]
              (format "%s: %d (%s%.1f%%)" n b (if (neg? change) "" "+") (* 100.0 (/ change (double a))))))))
;;;; csv writer
(defn escape-cell [v]
  (let [s (str v)]
    (if (re-find #"[\",\n]" s)
      (str \" (clojure.string/replace s "\"" "\"\"") \")
      s)))
(defn csv [columns rows]
  (clojure.string/join "\n"
    (cons (clojure.string/join "," (map name columns))
          (for [r rows] (clojure.string/join "," (map (comp escape-cell r) columns))))))
(csv [:id :text :ok] [{:id 1 :text "plain" :ok true} {:id 2 :text "say \"hi\", bob"} {:id 3 :text "" :ok false}])
;;;; percentiles
(defn percentile [sorted p]
  (nth sorted (min (dec (count sorted)) (quot (* p (count sorted)) 100))))
(let [times (vec (sort [12 7 33 41 5 18 22 90 15 11]))]
  (into (array-map) (for [p [0 50 90 99]] [(keyword (str "p" p)) (percentile times p)])))
;;;; changelog from commits
(require '[clojure.string :as str])
(let [commits ["feat(api): add search" "fix: crash on empty input" "chore: bump" "feat: dark mode" "fix(ui)!: rename button"]
      parsed (keep (fn [c]
                     (when-let [[_ kind scope breaking text] (re-matches #"(\w+)(?:\((\w+)\))?(!)?: (.+)" c)]
                       {:kind (keyword kind) :scope scope :breaking (some? breaking) :text text}))
                   commits)
      section (fn [[title kind]]
                (let [entries (filter #(= kind (:kind %)) parsed)]
                  (when (seq entries)
                    (str "## " title "\n"
                         (str/join "\n" (for [{:keys [scope text breaking]} entries]
                                          (str "- " (when breaking "BREAKING ") (when scope (str scope ": ")) text)))))))]
  (str/join "\n\n" (keep section [["Features" :feat] ["Fixes" :fix] ["Docs" :docs]])))
;;;; sparkline
(let [values [1 5 22 13 53 41 8]
      ticks "_.-=+*#@"
      top (apply max values)
      tick (fn [v] (nth ticks (quot (* (dec (count ticks)) v) top)))]
  {:line (apply str (map tick values))
   :range [(apply min values) top]})
;;;; group headings alphabetically
(let [terms ["atom" "Agent" "binding" "ref" "Record" "set" "seq" "special form"]
      index (group-by #(clojure.string/upper-case (subs % 0 1)) (sort-by clojure.string/lower-case terms))]
  (reduce (fn [out [letter words]]
            (into (conj out (str "== " letter)) (map #(str "   " %)) words))
          []
          (sort-by key index)))
;;;; totals with subtotals
;keys keyword
;data rows [{"region": "EU", "country": "DE", "n": 5}, {"region": "EU", "country": "FR", "n": 7}, {"region": "US", "country": "US", "n": 9}]
(let [lines (mapcat (fn [[region rows]]
                      (concat (map (fn [{:keys [country n]}] (format "  %-4s%4d" country n)) rows)
                              [(format "%-6s%4d" region (transduce (map :n) + 0 rows))]))
                    (group-by :region data/rows))]
  (run! println lines)
  (count lines))
;;;; progress summary
(let [tasks {:design :done :build :doing :test :todo :docs :todo :ship :blocked}
      counts (frequencies (vals tasks))
      n (count tasks)
      percent (fn [k] (Math/round (/ (* 100.0 (get counts k 0)) n)))]
  (str (percent :done) "% done"
       (when-let [blocked (seq (for [[t s] tasks :when (= s :blocked)] (name t)))]
         (str ", blocked: " (clojure.string/join ", " blocked)))
       ", next: " (name (first (sort (map key (filter #(= :todo (val %)) tasks)))))))
