(ns workflow
  "Prices an order rightly, and then holds the wrong amount against what the order requires: no program of a mission is to
  blame for that.")

(def ^:private label-program "(return (pricing/text data/params))")
(def ^:private total-program "(return (pricing/total data/params))")

(defn run
  "The price of the order, if it is the one that the order requires."
  [{:keys [net required] :as order}]
  (let [label (:value (kernel/eval-source-with "pricing" label-program order))
        total (:value (kernel/eval-source-with "pricing" total-program order))]
    (if (= required net)
      {:order label :total total}
      (fail {:kind :wrong-total :total total :required required}))))
