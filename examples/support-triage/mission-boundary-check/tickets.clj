(ns tickets
  "What the triage mission may ask of a ticket.")

(def ^{:type ":map"} sla-minutes
  "Longest wait of each plan."
  {"pro" 120 "free" 480})

(defn breached?
  "Whether a ticket has waited longer than its plan allows."
  {:signature "(ticket {plan :string, waiting_minutes :int}) -> :bool"}
  [{:keys [plan waiting-minutes]}]
  (> waiting-minutes (get sla-minutes plan)))

(defn priority
  "How urgent a ticket is, at most 100: 10, half an hour of points for the wait, 40 for a breach, 20 for a refund."
  {:signature "(ticket {plan :string, waiting_minutes :int, text :string}) -> :int"}
  [{:keys [waiting-minutes text] :as ticket}]
  (min 100 (+ 10
              (min 30 (quot waiting-minutes 60))
              (if (breached? ticket) 40 0)
              (if (clojure.string/includes? (clojure.string/lower-case text) "refund") 20 0))))
