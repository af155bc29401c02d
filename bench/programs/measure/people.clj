;;;; initials and sort names
(let [names ["Grace Brewster Hopper" "Alan Turing" "Ada Lovelace"]
      parts (map #(clojure.string/split % #"\s+") names)
      display (fn [ps] (str (last ps) ", " (clojure.string/join " " (butlast ps))))]
  {:sorted (sort (map display parts))
   :initials (mapv (fn [ps] (apply str (map first ps))) parts)})
;;;; match mentors
(def mentors [{:name "M1" :topics #{:sql :ops} :free 1} {:name "M2" :topics #{:ui :sql} :free 2}])
(defn match [{:keys [free pairs alone]} {:keys [name topic]}]
  (let [fits (filter (fn [m] (and ((:topics m) topic) (pos? (free (:name m))))) mentors)]
    (if-let [{mentor :name} (first fits)]
      {:free (update free mentor dec) :pairs (assoc pairs name mentor) :alone alone}
      {:free free :pairs pairs :alone (conj alone name)})))
(reduce match
        {:free (zipmap (map :name mentors) (map :free mentors)) :pairs {} :alone []}
        [{:name "a" :topic :sql} {:name "b" :topic :sql} {:name "c" :topic :ops} {:name "d" :topic :ui}])
;;;; holiday balance
;data staff [{"name": "Ann", "days": 30, "taken": [{"from": 3, "to": 7}, {"from": 100, "to": 109}]}, {"name": "Ben", "days": 24, "taken": []}]
(for [{:strs [name days taken]} data/staff
      :let [used (reduce (fn [n {:strs [from to]}] (+ n (inc (- to from)))) 0 taken)]]
  (format "%s: %d of %d left" name (- days used) days))
;;;; common free slots
(let [busy {:ann #{9 10 14} :ben #{10 11} :cem #{9 15 16}}
      hours (set (range 9 17))
      free (fn [who] (apply disj hours (busy who)))
      common (sort (apply clojure.set/intersection (map free (keys busy))))]
  {:common common
   :blocks (map (juxt first last)
                (reduce (fn [blocks h]
                          (if (= (inc (or (peek (peek blocks)) -9)) h)
                            (conj (pop blocks) (conj (peek blocks) h))
                            (conj blocks [h])))
                        [] common))})
;;;; survey averages
(let [answers [{:who 1 :food 4 :room 5} {:who 2 :food 2} {:who 3 :room 3 :food 3}]
      questions [:food :room :price]
      scores (fn [q] (keep q answers))]
  (zipmap questions
          (map (fn [q]
                 (if-let [ss (seq (scores q))]
                   {:n (count ss) :avg (double (/ (reduce + ss) (count ss)))}
                   :none))
               questions)))
;;;; family tree
(def parents {:kid [:mum :dad] :mum [:gran :grandpa] :dad [nil :opa]})
(defn ancestors-of [person]
  (let [direct (remove nil? (parents person))]
    (concat direct (mapcat ancestors-of direct))))
(defn generation [person target]
  (cond
    (= person target) 0
    :else (some (fn [p] (when-let [g (and p (generation p target))] (inc g))) (parents person))))
{:all (set (ancestors-of :kid)) :grandpa (generation :kid :grandpa) :stranger (generation :kid :bob)}
;;;; employee lookup with defaults
(defn describe-employee [{:keys [name email manager] {:keys [city country] :or {country "DE"}} :office :as e}]
  (str name
       (when email (str " <" email ">"))
       " in " (or city "?") "/" country
       (if manager (str ", reports to " (:name manager)) ", top")
       " (" (count e) " fields)"))
(map describe-employee
     [{:name "Ann" :office {:city "Ulm"} :manager {:name "Zoe"}}
      {:name "Zoe" :email "z@x" :office {:city "Bern" :country "CH"}}
      {:name "Temp"}])
;;;; rotate duty roster
;keys keyword
;data roster {"people": ["ann", "ben", "cem"], "skip": {"ben": [2, 3]}, "weeks": 5}
(let [{:keys [people skip weeks]} data/roster]
  (loop [week 1 queue (cycle people) plan []]
    (if (> week weeks)
      plan
      (let [[away [who & later]] (split-with (fn [p] (some #{week} (get skip (keyword p)))) queue)]
        (recur (inc week) (concat away later) (conj plan [week who]))))))
;;;; count pairs of colleagues
(let [projects {:p1 ["ann" "ben" "cem"] :p2 ["ben" "ann"] :p3 ["cem" "dee"]}
      pairs (for [[_ members] projects
                  a members b members
                  :when (neg? (compare a b))]
              #{a b})]
  (->> (frequencies pairs)
       (map (fn [[pair n]] [(sort pair) n]))
       (sort-by (fn [[pair n]] [(- n) (vec pair)]))))
;;;; weekday of dates
(def names ["Thu" "Fri" "Sat" "Sun" "Mon" "Tue" "Wed"])
(defn weekday [text]
  (names (mod (.toEpochDay (java.time.LocalDate/parse text)) 7)))
(let [days ["1970-01-01" "2024-02-29" "2024-12-24" "1969-12-31"]]
  (mapv (fn [d] (str d " " (weekday d))) days))
