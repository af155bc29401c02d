(ns pricing.rule
  "What is added to the net amount of an order.")

(defn with-delivery
  "A net amount with delivery, which costs 20."
  {:signature "(net :int) -> :int" :effect :read}
  [net]
  (+ net 2))
