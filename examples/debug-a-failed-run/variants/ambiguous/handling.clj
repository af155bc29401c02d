(ns pricing.handling
  "What handling adds to an order.")

(defn cost
  "The cost of handling."
  {:signature "(order {net :int}) -> :int" :effect :read}
  [_]
  1)
