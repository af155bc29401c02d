(ns prices
  "What the mission may call. The signature is held before the body runs, and it is what a model is shown.")

(defn total
  "Price of so many items."
  {:signature "(price :int, count :int) -> :int" :effect :read}
  [price count]
  (* price count))
