;;;; route by language
(def hints {:german #{"und" "nicht" "ich" "der"} :french #{"je" "pas" "le" "est"} :english #{"the" "not" "and" "is"}})
(defn language [text]
  (let [words (set (re-seq #"\p{L}+" (clojure.string/lower-case text)))
        scores (map (fn [[lang hs]] [lang (count (clojure.set/intersection words hs))]) hints)
        [best n] (apply max-key second scores)]
    (if (pos? n) best :unknown)))
(map language ["Ich kann mich nicht anmelden" "The page is not loading" "Je ne peux pas payer, le site est lent" "???"])
;;;; weekly report lines
;data tickets [{"id": 1, "team": "web", "opened": 3, "closed": 5}, {"id": 2, "team": "web", "opened": 4, "closed": null}, {"id": 3, "team": "ops", "opened": 1, "closed": 1}, {"id": 4, "team": "ops", "opened": 2, "closed": 9}]
(let [summary (for [[team ts] (sort-by key (group-by #(get % "team") data/tickets))
                    :let [done (filter #(some? (get % "closed")) ts)
                          days (map #(- (get % "closed") (get % "opened")) done)]]
                {:team team
                 :open (- (count ts) (count done))
                 :slowest (when (seq days) (apply max days))})]
  (doseq [{:keys [team open slowest]} summary]
    (println (str team ": " open " open, slowest " slowest " days")))
  (vec summary))
;;;; merge customer notes
(let [notes [{:at 3 :by "ann" :text "called back"} {:at 1 :by "ben" :text "ticket created"} {:at 2 :by "ann" :text "asked for log"}]
      line (fn [{:keys [at by text]}] (format "%02d %-4s %s" at by text))
      sorted (sort-by :at notes)]
  {:text (clojure.string/join "\n" (map line sorted))
   :authors (distinct (map :by sorted))
   :last (-> sorted last :text clojure.string/upper-case)})
;;;; sla breach with business hours
(defn business-minutes [from to]
  (let [day-minutes (fn [d]
                      (let [open (+ (* d 1440) 540) close (+ (* d 1440) 1020)
                            start (max from open) end (min to close)]
                        (max 0 (- end start))))]
    (reduce + (map day-minutes (range (quot from 1440) (inc (quot to 1440)))))))

(let [limit 240]
  (for [[id from to] [["t1" 600 700] ["t2" 960 2050] ["t3" 1100 1900]]
        :let [used (business-minutes from to)]]
    {:id id :minutes used :breached (> used limit)}))
;;;; mask personal data
(defn mask [text]
  (-> text
      (clojure.string/replace #"[\w.]+@[\w.]+" "<email>")
      (clojure.string/replace #"\+?\d[\d -]{6,}\d" "<phone>")
      (clojure.string/replace #"\b[A-Z]{2}\d{2}(?: ?\d{4}){3,5}\b" "<iban>")))
(mapv mask ["Mail me at jo.doe@mail.example or call +49 170 1234567"
            "IBAN DE89 3704 0044 0532 0130"
            "Room 42"])
;;;; suggest canned answers
(def answers
  [{:title "Reset password" :keywords #{"password" "login" "reset"}}
   {:title "Refund policy" :keywords #{"refund" "money" "return"}}
   {:title "Delivery times" :keywords #{"delivery" "late" "parcel" "when"}}])
(defn suggest [question]
  (let [words (set (clojure.string/split (clojure.string/lower-case question) #"\W+"))]
    (->> answers
         (map (fn [{:keys [keywords] :as a}] (assoc a :score (count (filter words keywords)))))
         (filter (comp pos? :score))
         (sort-by :score >)
         (mapv #(select-keys % [:title :score])))))
[(suggest "When will my parcel arrive? The delivery is late!") (suggest "I want my money back, refund please") (suggest "hi")]
;;;; parent and child tickets
;keys keyword
;data tickets [{"id": 1, "parent": null, "done": false}, {"id": 2, "parent": 1, "done": true}, {"id": 3, "parent": 1, "done": false}, {"id": 4, "parent": 3, "done": true}, {"id": 5, "parent": null, "done": true}]
(let [children (group-by :parent data/tickets)
      progress (fn progress [t]
                 (let [kids (get children (:id t))
                       below (map progress kids)
                       own (if (:done t) 1 0)]
                   {:id (:id t)
                    :done (apply + own (map :done below))
                    :all (apply + 1 (map :all below))}))]
  (mapv progress (get children nil)))
;;;; vote up requests
(def board (atom (sorted-map)))
(defn vote! [user request]
  (let [voters (get-in @board [request :voters] #{})]
    (when-not (contains? voters user)
      (swap! board assoc request {:voters (conj voters user) :n (inc (count voters))}))))
(doseq [[user request] [[:ann "dark mode"] [:ben "export"] [:ann "export"] [:ann "export"] [:cem "export"]]]
  (vote! user request))
(->> @board
     (map (fn [[request {:keys [n]}]] (vector n request)))
     (sort (fn [[a] [b]] (compare b a))))
;;;; follow up dates
(let [rules {:high 1 :medium 3 :low 7}
      tickets [{:id "a" :priority :low :last "2024-12-28"} {:id "b" :priority :high :last "2024-02-28"} {:id "c" :priority :none :last "2024-05-05"}]]
  (keep (fn [{:keys [id priority last]}]
          (when-let [days (rules priority)]
            (str id " -> " (.plusDays (LocalDate/parse last) days))))
        tickets))
;;;; burn down
(let [start 20
      closed-per-day [3 0 5 4 2]
      added {2 4}
      remaining (reductions (fn [left [day n]] (-> left (- n) (+ (get added day 0))))
                            start
                            (map-indexed vector closed-per-day))
      ideal (map #(- start (* 4 %)) (range (count remaining)))]
  (map (fn [day real wanted] {:day day :left real :behind (max 0 (- real wanted))})
       (range) remaining ideal))
