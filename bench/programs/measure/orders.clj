;;;; best selling products
;data lines [{"order": 1, "sku": "mug", "qty": 2}, {"order": 1, "sku": "hat", "qty": 1}, {"order": 2, "sku": "mug", "qty": 5}, {"order": 3, "sku": "bag", "qty": 4}, {"order": 3, "sku": "hat", "qty": 2}]
(let [sold (reduce (fn [acc line]
                     (update acc (get line "sku") (fnil + 0) (get line "qty")))
                   {}
                   data/lines)
      ranked (sort-by (fn [[sku qty]] [(- qty) sku]) sold)]
  {:best (ffirst ranked)
   :table (mapv (fn [[sku qty] place] {:place place :sku sku :qty qty})
                ranked
                (iterate inc 1))})
;;;; shipping quote
(def zones {"DE" :home "AT" :near "FR" :near "US" :far})
(def tariffs {:home {:base 490 :per-kg 50}
              :near {:base 990 :per-kg 120}
              :far {:base 2490 :per-kg 600}})

(defn quote-shipping [{:keys [country weight express]}]
  (if-let [zone (get zones country)]
    (let [{:keys [base per-kg]} (tariffs zone)
          cost (+ base (* per-kg (max 0 (dec weight))))]
      {:zone zone
       :cents (if express (quot (* cost 3) 2) cost)})
    {:error (str "we do not ship to " country)}))

(map quote-shipping [{:country "DE" :weight 1}
                     {:country "FR" :weight 4 :express true}
                     {:country "US" :weight 2}
                     {:country "XX" :weight 1}])
;;;; repeat buyers
;keys keyword
;data orders [{"id": 1, "email": "ada@x.org", "placed": "2024-01-03"}, {"id": 2, "email": "bob@x.org", "placed": "2024-01-09"}, {"id": 3, "email": "ADA@x.org", "placed": "2024-02-11"}, {"id": 4, "email": "cy@x.org", "placed": "2024-02-12"}, {"id": 5, "email": "bob@x.org", "placed": "2024-03-01"}]
(let [history (->> data/orders
                   (map #(update % :email clojure.string/lower-case))
                   (sort-by :placed)
                   (reduce (fn [m o] (update m (:email o) (fnil conj []) (:placed o))) {}))
      repeat? (fn [[_ dates]] (< 1 (count dates)))
      gaps (fn [dates]
             (map (fn [[a b]]
                    (- (.toEpochDay (LocalDate/parse b)) (.toEpochDay (LocalDate/parse a))))
                  (partition 2 1 dates)))]
  (for [[email dates] (filter repeat? history)]
    {:email email :first (first dates) :gaps (gaps dates)}))
;;;; coupon rules
(defn apply-coupon [total coupon]
  (case (:kind coupon)
    :percent (- total (quot (* total (:value coupon)) 100))
    :fixed (max 0 (- total (:value coupon)))
    :free-shipping total
    (throw (ex-info "unknown coupon" {:coupon coupon}))))

(defn checkout [total coupons]
  (try
    (let [final (reduce apply-coupon total coupons)]
      {:status :ok :total final :saved (- total final)})
    (catch Exception e
      {:status :error :message (ex-message e) :kind (get-in (ex-data e) [:coupon :kind])})))

[(checkout 10000 [{:kind :percent :value 15} {:kind :fixed :value 500}])
 (checkout 300 [{:kind :fixed :value 500} {:kind :free-shipping}])
 (checkout 300 [{:kind :gift}])]
;;;; fulfil from warehouses
(defn fulfil [warehouses sku wanted]
  (loop [[{:keys [id stock]} & others] warehouses
         missing wanted
         picks []]
    (cond
      (zero? missing) {:picks picks :missing 0}
      (nil? id) {:picks picks :missing missing}
      :else (let [take-here (min missing (get stock sku 0))]
              (recur others
                     (- missing take-here)
                     (if (pos? take-here) (conj picks {:from id :n take-here}) picks))))))

(let [warehouses [{:id :berlin :stock {"tv" 2 "pc" 1}} {:id :paris :stock {"tv" 3}} {:id :rome :stock {"pc" 9}}]]
  {:tv (fulfil warehouses "tv" 4)
   :pc (fulfil warehouses "pc" 20)})
;;;; weekly cohort
(let [orders [{:week 1 :customer "a" :new? true} {:week 1 :customer "b" :new? true} {:week 2 :customer "a"} {:week 2 :customer "c" :new? true} {:week 3 :customer "a"} {:week 3 :customer "b"}]
      cohort (into {} (keep (fn [{:keys [customer week new?]}] (when new? [customer week]))) orders)]
  (->> orders
       (remove :new?)
       (map (fn [{:keys [customer week]}] [(cohort customer) (- week (cohort customer))]))
       frequencies
       (into (sorted-map))))
;;;; round trip invoice lines
(require '[clojure.string :as str])
(def text "2 x Notebook @ 3.50
1 x Desk lamp @ 29.90
nonsense line
10 x Pencil @ 0.20")

(let [parse (fn [line]
              (if-let [[_ n what price] (re-matches #"(\d+) x (.+) @ (\d+\.\d\d)" line)]
                {:n (parse-long n) :what what :cents (Math/round (* 100 (parse-double price)))}
                {:bad line}))
      lines (map parse (str/split-lines text))
      good (remove :bad lines)
      total (transduce (map #(* (:n %) (:cents %))) + good)]
  {:total (format "%d.%02d" (quot total 100) (mod total 100))
   :longest (apply max-key count (map :what good))
   :bad (keep :bad lines)})
;;;; group into carts by visitor
;data events [{"visitor": "v1", "action": "add", "sku": "a"}, {"visitor": "v2", "action": "add", "sku": "b"}, {"visitor": "v1", "action": "add", "sku": "c"}, {"visitor": "v1", "action": "remove", "sku": "a"}, {"visitor": "v2", "action": "buy"}]
(defn on-event [carts {:strs [visitor action sku]}]
  (condp = action
    "add" (update-in carts [visitor :items] (fnil conj #{}) sku)
    "remove" (update-in carts [visitor :items] disj sku)
    "buy" (assoc-in carts [visitor :bought] true)
    carts))

(let [carts (reduce on-event {} data/events)
      {bought true open false} (group-by (comp boolean :bought val) carts)]
  {:bought (map key bought)
   :open (into {} (map (fn [[v {:keys [items]}]] [v (sort items)])) open)})
;;;; minimum order quantities
(defn round-up [n step] (* step (quot (+ n (dec step)) step)))
(let [suppliers {"acme" {:minimum 50 :step 10} "zen" {:minimum 5 :step 1}}
      needs [["acme" "screw" 32] ["acme" "nail" 77] ["zen" "vase" 3]]]
  (vec (for [[supplier item n] needs
             :let [{:keys [minimum step]} (suppliers supplier)
                   order (round-up (max n minimum) step)]]
         {:item item :order order :spare (- order n)})))
;;;; dunning levels
(let [invoices [{:no 1 :due 0 :paid? true} {:no 2 :due 10} {:no 3 :due 31} {:no 4 :due 95}]
      level (fn [{:keys [due paid?]}]
              (cond paid? :none
                    (< due 14) :wait
                    (< due 30) :remind
                    (< due 90) :warn
                    :else :collect))
      by-level (group-by level invoices)]
  (reduce-kv (fn [m k v] (assoc m k (mapv :no v))) (sorted-map) by-level))
