(ns workflow
  "Prices an order in a mission, with two short programs: what the order is called, and what it costs.")

(def ^:private label-program "(return (pricing.label/text data/params))")
(def ^:private total-program "(return (pricing.order/total data/params))")

(defn run
  "The price of the order. Where it is not the one that the order requires, the run ends with exactly what became of the
  program that made it."
  [order]
  (let [label (kernel/eval-source-with "pricing" label-program order)
        total (kernel/eval-source-with "pricing" total-program order)]
    (if (= (:required order) (:value total))
      {:order (:value label) :total (:value total)}
      (fail total))))
