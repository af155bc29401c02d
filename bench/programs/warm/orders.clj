;;;; revenue by region
;data orders [{"id": 1, "region": "north", "amount": 120.5, "status": "paid"}, {"id": 2, "region": "south", "amount": 80.25, "status": "open"}, {"id": 3, "region": "north", "amount": 42.0, "status": "paid"}, {"id": 4, "region": "east", "amount": 310.75, "status": "paid"}]
(let [paid (filter #(= "paid" (get % "status")) data/orders)
      by-region (group-by #(get % "region") paid)]
  (into {}
        (for [[region orders] by-region]
          [region {:count (count orders)
                   :total (reduce + (map #(get % "amount") orders))}])))
;;;; cart with discounts
(def cart [{:sku "A-100" :qty 2 :price 19.5}
           {:sku "B-200" :qty 1 :price 100.0}
           {:sku "C-300" :qty 5 :price 4.0}])

(defn line-total [{:keys [qty price]}]
  (* qty price))

(defn discount [subtotal]
  (cond
    (>= subtotal 150) 0.10
    (>= subtotal 100) 0.05
    :else 0.0))

(let [subtotal (reduce + (map line-total cart))
      rate (discount subtotal)
      off (* subtotal rate)]
  {:subtotal subtotal
   :discount off
   :total (- subtotal off)
   :lines (mapv (fn [l] [(:sku l) (line-total l)]) cart)})
;;;; largest customers
;keys keyword
;data orders [{"customer": "ada", "total": 300}, {"customer": "bob", "total": 120}, {"customer": "ada", "total": 75}, {"customer": "cy", "total": 500}, {"customer": "bob", "total": 90}]
(->> data/orders
     (group-by :customer)
     (map (fn [[customer rows]]
            {:customer customer
             :orders (count rows)
             :spent (apply + (map :total rows))}))
     (sort-by :spent >)
     (take 2)
     vec)
;;;; late shipments
(def shipments
  [{:id "s1" :promised "2024-03-01" :delivered "2024-03-03"}
   {:id "s2" :promised "2024-03-05" :delivered "2024-03-05"}
   {:id "s3" :promised "2024-03-02" :delivered nil}
   {:id "s4" :promised "2024-02-27" :delivered "2024-02-29"}])

(defn days-late [{:keys [promised delivered]}]
  (when delivered
    (- (.toEpochDay (LocalDate/parse delivered))
       (.toEpochDay (LocalDate/parse promised)))))

(let [scored (map #(assoc % :late (days-late %)) shipments)
      {done true pending false} (group-by #(some? (:late %)) scored)
      late (filter #(pos? (:late %)) done)]
  {:late (mapv (juxt :id :late) late)
   :on-time (mapv :id (remove #(pos? (:late %)) done))
   :pending (mapv :id pending)})
;;;; apply stock reservations in order
(defn reserve [state {:keys [order sku qty]}]
  (let [available (get-in state [:stock sku] 0)]
    (if (<= qty available)
      (-> state
          (update-in [:stock sku] - qty)
          (update :accepted conj order))
      (update state :rejected conj {:order order :sku sku :short (- qty available)}))))

(reduce reserve
        {:stock {"pen" 10 "ink" 2} :accepted [] :rejected []}
        [{:order 1 :sku "pen" :qty 4}
         {:order 2 :sku "ink" :qty 3}
         {:order 3 :sku "pen" :qty 6}
         {:order 4 :sku "cup" :qty 1}])
;;;; validate order ids
(let [ids ["ORD-2024-0001" "ord-2024-2" "ORD-1999-1234" "ORD-2024-abcd" "ORD-2025-0420"]
      parse (fn [id]
              (when-let [[_ year n] (re-matches #"ORD-(\d{4})-(\d{4})" id)]
                {:id id :year (parse-long year) :number (parse-long n)}))]
  {:valid (keep parse ids)
   :invalid (remove parse ids)})
;;;; merge order updates
;keys keyword
;data base {"o1": {"status": "new", "tags": ["web"]}, "o2": {"status": "new", "tags": []}}
;data updates [{"id": "o1", "status": "packed"}, {"id": "o2", "status": "cancelled", "tag": "fraud"}, {"id": "o1", "status": "shipped", "tag": "express"}]
(defn apply-update [orders {:keys [id status tag]}]
  (cond-> (assoc-in orders [(keyword id) :status] status)
    tag (update-in [(keyword id) :tags] conj tag)))

(let [result (reduce apply-update data/base data/updates)]
  (for [[id {:keys [status tags]}] (sort-by key result)]
    (str (name id) "=" status (when (seq tags) (str " [" (clojure.string/join "," tags) "]")))))
;;;; tax by category
(let [rates {:book 0.07 :food 0.07 :other 0.19}
      items [{:name "Novel" :category :book :net 10.0}
             {:name "Bread" :category :food :net 3.0}
             {:name "Lamp" :category :light :net 50.0}]
      with-tax (for [{:keys [category net] :as item} items
                     :let [rate (get rates category (:other rates))
                           tax (* net rate)]]
                 (assoc item :rate rate :tax (/ (Math/round (* 100 tax)) 100.0)))]
  {:items with-tax
   :tax (reduce (fn [sum {:keys [tax]}] (+ sum tax)) 0.0 with-tax)
   :by-rate (update-vals (group-by :rate with-tax) count)})
;;;; split order into parcels by weight
(defn pack [limit items]
  (loop [todo items parcel [] weight 0 done []]
    (if-let [{w :weight :as item} (first todo)]
      (if (and (seq parcel) (> (+ weight w) limit))
        (recur todo [] 0 (conj done parcel))
        (recur (rest todo) (conj parcel (:id item)) (+ weight w) done))
      (cond-> done (seq parcel) (conj parcel)))))

(pack 10 [{:id "a" :weight 4} {:id "b" :weight 5} {:id "c" :weight 3} {:id "d" :weight 12} {:id "e" :weight 1}])
;;;; refund policy
(defn refund [{:keys [status days-since opened? amount] :or {opened? false}}]
  (cond
    (= status :cancelled) {:refund amount :reason "cancelled"}
    (> days-since 30) {:refund 0 :reason "too late"}
    opened? {:refund (quot (* amount 80) 100) :reason "opened"}
    :else {:refund amount :reason "returned"}))

(mapv refund
      [{:status :cancelled :days-since 1 :amount 500}
       {:status :delivered :days-since 45 :amount 120}
       {:status :delivered :days-since 3 :opened? true :amount 199}
       {:status :delivered :days-since 10 :amount 60}])
