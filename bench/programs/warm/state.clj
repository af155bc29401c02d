;;;; bank ledger
(def accounts (atom {:alice 100 :bob 50}))
(defn transfer! [from to amount]
  (if (>= (get @accounts from) amount)
    (do (swap! accounts (fn [m] (-> m (update from - amount) (update to + amount))))
        :done)
    :refused))
(let [results (mapv #(apply transfer! %) [[:alice :bob 70] [:alice :bob 70] [:bob :alice 10]])]
  {:results results :accounts @accounts})
;;;; traffic light
(def next-light {:red :green, :green :yellow, :yellow :red})
(let [lights (take 7 (iterate next-light :red))]
  {:sequence (vec lights)
   :reds (count (filter #{:red} lights))})
;;;; inventory events
(defmulti handle (fn [_ event] (:type event)))
(defmethod handle :received [stock {:keys [sku n]}] (update stock sku (fnil + 0) n))
(defmethod handle :sold [stock {:keys [sku n]}] (update stock sku - n))
(defmethod handle :counted [stock {:keys [sku n]}] (assoc stock sku n))
(defmethod handle :default [stock _] stock)
(reduce handle {} [{:type :received :sku :nut :n 100} {:type :sold :sku :nut :n 30} {:type :noise} {:type :counted :sku :nut :n 68} {:type :received :sku :bolt :n 5}])
;;;; undo stack
(defn editor [{:keys [text undo] :as state} [op arg]]
  (case op
    :type {:text (str text arg) :undo (conj undo text)}
    :delete (if (empty? text)
              state
              {:text (subs text 0 (max 0 (- (count text) arg))) :undo (conj undo text)})
    :undo (if (seq undo) {:text (peek undo) :undo (pop undo)} state)))
(-> (reduce editor {:text "" :undo []}
            [[:type "hello"] [:type " wrld"] [:undo nil] [:type " world"] [:delete 1] [:undo nil]])
    (update :undo count))
;;;; vending machine
(defn insert [machine coin] (update machine :credit + coin))
(defn select [machine code]
  (let [{:keys [price stock]} (get-in machine [:items code])]
    (cond
      (nil? price) (assoc machine :display "unknown")
      (zero? stock) (assoc machine :display "sold out")
      (< (:credit machine) price) (assoc machine :display (str "insert " (- price (:credit machine))))
      :else (-> machine
                (update-in [:items code :stock] dec)
                (update :credit - price)
                (assoc :display (str "enjoy " (name code)))))))
(-> {:credit 0 :items {:tea {:price 120 :stock 1} :cola {:price 200 :stock 0}}}
    (insert 100) (select :tea) (insert 50) (select :tea)
    ((juxt :display :credit #(get-in % [:items :tea :stock]) #(:display (select % :cola)))))
;;;; game of life
(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)]
    [(+ x dx) (+ y dy)]))
(defn step [cells]
  (set (for [[cell n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3) (and (= n 2) (cells cell)))]
         cell)))
(let [blinker #{[1 0] [1 1] [1 2]}]
  [(sort (step blinker)) (= blinker (step (step blinker)))])
;;;; robot on a grid
(def turn-left {:n :w :w :s :s :e :e :n})
(def move {:n [0 1] :s [0 -1] :e [1 0] :w [-1 0]})
(defn command [{:keys [facing] :as robot} c]
  (case c
    \L (update robot :facing turn-left)
    \R (update robot :facing (clojure.set/map-invert turn-left))
    \F (update robot :position #(mapv + % (move facing)))
    robot))
(reduce command {:position [0 0] :facing :n} "FFRFFLFRRFx")
;;;; lru cache
(defn touch [{:keys [order] :as cache} k]
  (assoc cache :order (conj (vec (remove #{k} order)) k)))
(defn put [{:keys [size] :as cache} k v]
  (let [{:keys [order values] :as next} (touch (assoc-in cache [:values k] v) k)]
    (if (> (count order) size)
      (-> next (update :values dissoc (first order)) (update :order subvec 1))
      next)))
(-> {:size 2 :order [] :values {}}
    (put :a 1) (put :b 2) (touch :a) (put :c 3)
    (select-keys [:order :values]))
;;;; elevator queue
(loop [floor 0 stops #{5 2 8} direction :up trip []]
  (if (empty? stops)
    trip
    (let [here (if (= direction :up) (filter #(>= % floor) stops) (filter #(<= % floor) stops))]
      (if (empty? here)
        (recur floor stops (if (= direction :up) :down :up) trip)
        (let [target (apply (if (= direction :up) min max) here)]
          (recur target (disj stops target) direction (conj trip [direction target])))))))
;;;; rate limiter
(let [limit 3 window 10
      allow (fn [{:keys [recent] :as state} t]
              (let [recent (filterv #(> % (- t window)) recent)]
                (if (< (count recent) limit)
                  (-> state (assoc :recent (conj recent t)) (update :allowed conj t))
                  (-> state (assoc :recent recent) (update :denied conj t)))))]
  (dissoc (reduce allow {:recent [] :allowed [] :denied []} [1 2 3 4 11 12 12 13 30]) :recent))
