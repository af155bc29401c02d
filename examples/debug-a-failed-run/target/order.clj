(ns pricing.order
  "What an order costs.")

(defn total
  "The net amount of an order with everything that the rule adds."
  {:signature "(order {net :int}) -> :int" :effect :read}
  [{:keys [net]}]
  (pricing.rule/with-delivery net))
