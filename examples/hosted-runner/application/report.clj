(ns report)

(defn work
  "Keeps a runner busy: a number that takes as long as there are rounds."
  [rounds]
  (reduce (fn [sum n] (mod (+ (* sum 31) n) 1000003)) 7 (range rounds)))

(defn run [input]
  {:total (reduce + (map (fn [order] (get order "cents")) (get input "orders")))
   :orders (count (get input "orders"))
   :check (work (get input "rounds"))})
