(ns playbook
  "What the escalation mission may look up: who takes a topic, and what is done first. It has no tickets.")

(def ^:private rules
  "Team and first action of each topic."
  {"money"   {"team" "payments" "first_action" "Check the payments of the account."}
   "outage"  {"team" "sre" "first_action" "Look for a stuck job."}
   "waiting" {"team" "support" "first_action" "Answer the customer."}
   "other"   {"team" "support" "first_action" "Read the ticket."}})

(defn team-for
  "The team that takes tickets of a topic: payments, sre or support."
  {:signature "(topic :string) -> :string" :effect :read}
  [topic]
  (get-in rules [topic "team"] "support"))

(defn first-action
  "What is done first about a ticket of a topic."
  {:signature "(topic :string) -> :string" :effect :read}
  [topic]
  (get-in rules [topic "first_action"] "Read the ticket."))
