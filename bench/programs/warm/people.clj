;;;; ages in groups
;data people [{"name": "Ann", "age": 34}, {"name": "Ben", "age": 17}, {"name": "Cem", "age": 67}, {"name": "Dee", "age": 25}, {"name": "Eve", "age": 12}]
(letfn [(band [{age "age"}]
          (cond (< age 18) :minor (< age 65) :adult :else :senior))]
  (let [groups (group-by band data/people)]
    (into (sorted-map)
          (map (fn [[k people]] [k (mapv #(get % "name") people)]))
          groups)))
;;;; salary raise
(def staff [{:name "Ira" :dept :dev :salary 5000 :rating 4}
            {:name "Joe" :dept :ops :salary 4200 :rating 2}
            {:name "Kim" :dept :dev :salary 6100 :rating 5}])
(defn raise [{:keys [salary rating] :as person}]
  (let [percent (condp <= rating 5 10 4 5 3 2 0)]
    (assoc person :salary (+ salary (quot (* salary percent) 100)) :percent percent)))
(let [after (map raise staff)]
  {:cost (- (reduce + (map :salary after)) (reduce + (map :salary staff)))
   :people (map #(select-keys % [:name :salary :percent]) after)})
;;;; org chart
(def reports {"ceo" ["cto" "cfo"] "cto" ["dev1" "dev2"] "cfo" ["acc"]})
(defn render [level person]
  (cons (str (apply str (repeat (* 2 level) " ")) "- " person)
        (mapcat (partial render (inc level)) (get reports person))))
(doseq [line (render 0 "ceo")]
  (println line))
;;;; birthdays next
(let [people {"Ann" "1990-04-12" "Ben" "1985-12-01" "Cem" "2000-02-28"}
      month-day #(subs % 5)
      today "03-01"
      order (sort-by (fn [[_ born]]
                       (let [md (month-day born)]
                         [(if (neg? (compare md today)) 1 0) md]))
                     people)]
  {:next (ffirst order)
   :order (map first order)})
;;;; attendance
(let [rows [["ann" :mon] ["ann" :tue] ["ben" :mon] ["cem" :wed] ["ann" :wed] ["ben" :wed]]
      by-day (reduce (fn [m [who day]] (update m day (fnil conj #{}) who)) {} rows)
      everyone (set (map first rows))]
  (for [day [:mon :tue :wed]]
    {:day day
     :present (sort (by-day day))
     :absent (sort (clojure.set/difference everyone (by-day day)))}))
;;;; grade book
(defn letter [score]
  (cond (>= score 90) "A" (>= score 75) "B" (>= score 60) "C" :else "F"))
(let [scores {:ann [92 88 95] :ben [71 64 80] :cem [40 55 38]}]
  (into {}
        (for [[who marks] scores
              :let [avg (/ (double (apply + marks)) (count marks))]]
          [who {:avg (/ (Math/round (* avg 10)) 10.0)
                :best (apply max marks)
                :grade (letter avg)}])))
;;;; seat teams
(let [people ["Ann" "Ben" "Cem" "Dee" "Eve" "Fay" "Gus"]
      teams (partition-all 3 people)]
  (->> teams
       (map-indexed (fn [i members] [(keyword (str "team-" (inc i))) (vec members)]))
       (into {})))
;;;; contact card
;keys keyword
;data contact {"name": {"first": "Ada", "last": "Byron"}, "phones": [{"kind": "home", "number": "030 1234"}, {"kind": "work", "number": "030 9876"}], "newsletter": true}
(let [{{:keys [first last]} :name
       [{primary :number} & others] :phones
       :keys [newsletter title] :or {title "Ms"}} data/contact]
  {:full (str title " " first " " last)
   :primary (clojure.string/replace primary " " "")
   :others (count others)
   :newsletter (if newsletter "yes" "no")})
;;;; shift overlap
(defn overlap [[a b] [c d]]
  (let [start (max a c) end (min b d)]
    (when (< start end) [start end])))
(let [shifts {"ann" [8 14] "ben" [12 18] "cem" [17 22]}
      names (sort (keys shifts))]
  (for [a names, b names
        :when (neg? (compare a b))
        :let [both (overlap (shifts a) (shifts b))]
        :when both]
    {:who [a b] :hours both}))
;;;; election
(let [ballots [[:ann :ben] [:ben :ann] [:cem :ben] [:ben :cem] [:ann :cem] [:cem :ann] [:ben :ann]]
      tally (fn [out]
              (frequencies (keep (fn [b] (first (remove out b))) ballots)))]
  (loop [out #{} round 1]
    (let [votes (tally out)
          total (apply + (vals votes))
          [leader n] (apply max-key val votes)]
      (if (or (> (* 2 n) total) (= 1 (count votes)))
        {:winner leader :round round :votes votes}
        (recur (conj out (key (apply min-key val votes))) (inc round))))))
