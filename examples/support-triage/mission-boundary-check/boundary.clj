(ns boundary
  "Sends the same programs to two missions. What one was granted, the other cannot even name.")

(defn- refusal
  "Why a mission refused a program; nil for one that ran."
  [{:keys [outcome details]}]
  (when (= "evaluation_error" outcome) (:message details)))

(defn- count-tickets [mission]
  (kernel/eval mission (program (count data/tickets))))

(defn- rate-a-probe [mission]
  (kernel/eval mission (program (tickets/priority {"plan" "pro" "waiting_minutes" 300 "text" "still waiting"}))))

(defn run
  "What the triage mission answers, and why the escalation mission does not."
  [_]
  {:granted {:mission         "triage"
             :tickets_visible (:value (count-tickets "triage"))
             :probe_priority  (:value (rate-a-probe "triage"))}
   :denied  {:mission           "escalation"
             :mission_data      (refusal (count-tickets "escalation"))
             :mission_component (refusal (rate-a-probe "escalation"))}})
