(ns pricing.label
  "What an order is called.")

(defn text
  "An order in words."
  {:signature "(order {id :string, net :int}) -> :string" :effect :read}
  [{:keys [id net]}]
  (str "order " id " over " net))
