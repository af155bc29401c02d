(ns workflow
  "Prices an order with two programs, and adds up what they say.")

(def ^:private delivery-program "(return (pricing.delivery/cost data/params))")
(def ^:private handling-program "(return (pricing.handling/cost data/params))")

(defn run
  "The price of the order, if it is the one that the order requires."
  [{:keys [net required] :as order}]
  (let [delivery (:value (kernel/eval-source-with "pricing" delivery-program order))
        handling (:value (kernel/eval-source-with "pricing" handling-program order))
        total    (+ net delivery handling)]
    (if (= required total)
      {:total total}
      (fail {:kind :wrong-total :total total :required required}))))
