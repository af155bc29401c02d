(ns pricing
  "What an order is called, and what it costs.")

(defn text
  "An order in words."
  {:signature "(order {id :string, net :int}) -> :string" :effect :read}
  [{:keys [id net]}]
  (str "order " id " over " net))

(defn total
  "The net amount of an order with delivery, which costs 20."
  {:signature "(order {net :int}) -> :int" :effect :read}
  [{:keys [net]}]
  (+ net 20))
