(ns orders
  "Sums up a list of orders: how many there are, what the paid ones bring, which ones wait.")

(defn- with-status
  "The orders that have this status, in their order."
  [status orders]
  (filter #(= status (:status %)) orders))

(defn run
  "Counts the orders of the input, totals the paid ones and lists the ids of the pending ones."
  [{:keys [orders]}]
  (let [paid (with-status "paid" orders)]
    {:order_count (count orders)
     :paid_count  (count paid)
     :paid_total  (reduce + (map :total paid))
     :pending_ids (mapv :id (with-status "pending" orders))}))
