;;;; shopping list
(def items (atom {}))
(defn add! [what n] (swap! items update what (fnil + 0) n))
(defn tick! [what]
  (let [[before after] (swap-vals! items dissoc what)]
    (not= before after)))
(add! :milk 1)
(add! :eggs 6)
(add! :milk 2)
(let [ticked [(tick! :milk) (tick! :bread)]]
  (add! :salt 1)
  {:ticked ticked :left (sort (map (fn [[k n]] (str n " " (name k))) @items))})
;;;; tic tac toe
(def lines [[0 1 2] [3 4 5] [6 7 8] [0 3 6] [1 4 7] [2 5 8] [0 4 8] [2 4 6]])
(defn winner [board]
  (some (fn [line]
          (let [marks (map board line)]
            (when (and (first marks) (apply = marks)) (first marks))))
        lines))
(loop [board (vec (repeat 9 nil)) players (cycle [:x :o]) moves [4 0 2 6 8 3] n 0]
  (if-let [w (winner board)]
    {:winner w :moves n}
    (if (empty? moves)
      {:draw? (every? some? board) :moves n}
      (recur (assoc board (first moves) (first players)) (rest players) (rest moves) (inc n)))))
;;;; parking garage
(defn park [{:keys [free] :as garage} [action plate]]
  (cond
    (and (= action :in) (empty? free)) (update garage :turned-away (fnil conj []) plate)
    (= action :in) (let [spot (first free)]
                     (-> garage (update :free disj spot) (assoc-in [:cars plate] spot)))
    :else (if-let [spot (get-in garage [:cars plate])]
            (-> garage (update :free conj spot) (update :cars dissoc plate))
            garage)))
(reduce park {:free (sorted-set 1 2) :cars {}} [[:in "A"] [:in "B"] [:in "C"] [:out "A"] [:in "D"] [:out "Z"]])
;;;; bank with multimethod fees
(defmulti fee :kind)
(defmethod fee :giro [_] 0)
(defmethod fee :savings [{:keys [amount]}] (if (> amount 1000) 5 1))
(defmethod fee :default [{:keys [kind]}] (throw (ex-info "no tariff" {:kind kind})))
(mapv (fn [account]
        (try (assoc account :fee (fee account))
             (catch Exception e {:failed (ex-message e) :kind (:kind (ex-data e))})))
      [{:kind :giro :amount 5} {:kind :savings :amount 2000} {:kind :savings :amount 20} {:kind :gold :amount 1}])
;;;; turing like counter
(def rules {[:right 0] [1 :move 1 :right] [:right 1] [1 :move 1 :right] [:right nil] [0 :move -1 :back] [:back 1] [0 :move -1 :back] [:back nil] [nil :stop 0 :end] [:back 0] [0 :stop 0 :end]})
(loop [tape {0 1 1 0 2 1} pos 0 state :right steps 0]
  (if (or (= state :end) (> steps 50))
    {:tape (mapv tape (sort (keys tape))) :steps steps :state state}
    (let [[write _ delta next] (rules [state (get tape pos)])]
      (recur (assoc tape pos write) (+ pos delta) next (inc steps)))))
;;;; subscription lifecycle
(defn lifecycle [sub event]
  (let [{:keys [status until]} sub
        {:keys [type at months]} event]
    (cond
      (= type :pay) (assoc sub :status :active :until (+ (max at (or until 0)) (* 30 months)))
      (and (= type :tick) (= status :active) (> at until)) (assoc sub :status :grace :grace-until (+ until 7))
      (and (= type :tick) (= status :grace) (> at (:grace-until sub))) (-> sub (assoc :status :expired) (dissoc :grace-until))
      (= type :cancel) (assoc sub :status :cancelled)
      :else sub)))
(map :status (reductions lifecycle {:status :new} [{:type :pay :at 0 :months 1} {:type :tick :at 20} {:type :tick :at 31} {:type :tick :at 40} {:type :pay :at 41 :months 2} {:type :cancel :at 50}]))
;;;; priority queue
(defn push [queue priority item]
  (update queue priority (fnil conj []) item))
(defn pop-next [queue]
  (when-let [[priority [item & more]] (first queue)]
    [item (if more (assoc queue priority (vec more)) (dissoc queue priority))]))
(let [queue (-> (sorted-map) (push 2 :mail) (push 1 :fire) (push 3 :tea) (push 1 :flood))]
  (loop [q queue done []]
    (if-let [[item left] (pop-next q)]
      (recur left (conj done item))
      done)))
;;;; score keeper
;data rounds [{"ann": 3, "ben": 5}, {"ann": 7, "cem": 1}, {"ben": 0, "cem": 9}]
(let [standings (reductions (fn [total round] (merge-with + total round)) {} data/rounds)
      leader (fn [m] (when (seq m) (first (sort-by (fn [[who n]] [(- n) who]) m))))]
  {:leaders (map leader (rest standings))
   :final (into (sorted-map) (last standings))})
;;;; counter with history
(defn counter []
  (let [n (atom 0) history (atom [])]
    {:inc! (fn [by] (swap! history conj @n) (swap! n + by))
     :undo! (fn [] (when-let [before (peek @history)]
                     (swap! history pop)
                     (reset! n before)))
     :value (fn [] @n)}))
(let [{:keys [inc! undo! value]} (counter)
      seen [(inc! 5) (inc! 10) (undo!) (inc! 1)]]
  [seen (value) (do (undo!) (undo!) (undo!)) (value)])
;;;; water jugs
(defn pours [[a b]]
  (let [to-b (min a (- 5 b)) to-a (min b (- 3 a))]
    (set [[3 b] [a 5] [0 b] [a 0] [(- a to-b) (+ b to-b)] [(+ a to-a) (- b to-a)]])))
(loop [paths [[[0 0]]] seen #{[0 0]}]
  (if-let [found (first (filter #(some #{4} (last %)) paths))]
    {:steps (dec (count found)) :path found}
    (let [longer (for [p paths s (sort (pours (last p))) :when (not (seen s))] (conj p s))
          fresh (vals (into (sorted-map) (map (juxt last identity)) longer))]
      (recur fresh (into seen (map last) fresh)))))
