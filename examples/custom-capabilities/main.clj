(ns main
  "Refunds late orders. The workflow looks them up; a program in the mission `desk` decides and refunds.")

(def program
  "What the mission runs for one order. A refusal is a value like any other: `:status` distinguishes them."
  "(let [{:strs [id cents]} data/params]
     (if (<= cents (* 100 data/limit))
       (let [refund (tool/refund {:id id :cents cents})]
         (if (= :ok (:status refund)) \"refunded\" (name (:reason refund))))
       \"ask-a-person\"))")

(defn- decide [{:strs [id cents late]}]
  [id (if late (get (kernel/eval-source-with "desk" program {"id" id "cents" cents}) :value) "on-time")])

(defn- look-up [id]
  (let [{:keys [status value reason]} (tool/order-status {:id id})]
    (if (= :ok status) (decide value) [id (name reason)])))

(defn run [input]
  (into {} (map look-up (get input "orders"))))
