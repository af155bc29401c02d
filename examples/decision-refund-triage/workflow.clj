(ns workflow
  "Six tickets, six yes-or-no questions in one request to a decision model. How likely a yes is, the model says; from where on
  it counts as one, the workflow says.")

(def model
  "The alias that the host installs."
  "refund-judge")

(def threshold
  "A refund from here on. A change of it asks nobody anything."
  0.5)

(defn question-name
  "Under which name a ticket is asked about: what leaves a workflow has _ for - in its keys."
  [{:keys [id]}]
  (str/replace id "-" "_"))

(defn question
  "What is asked about one ticket."
  [{:keys [id]}]
  {:type         "boolean"
   :instructions (str "Does the customer of ticket " id " ask for money back?")
   :criteria     "Yes only for money that was paid already. A question about prices, or thanks for a refund, is a no."})

(defn decision
  "What follows for one ticket from how likely a yes is."
  [ticket answers]
  (let [probability (get answers (question-name ticket))]
    {:id (:id ticket) :probability probability :refund (>= probability threshold)}))

(defn run
  "Asks about all tickets at once. decision/request gives the error envelope as a value, so it is looked at first."
  [{:keys [tickets]}]
  (let [reply (decision/request {:model     model
                                 :state     tickets
                                 :questions (into {} (map (juxt question-name question)) tickets)})]
    (if (= :error (:status reply))
      (fail reply)
      (let [decisions (mapv #(decision % (get reply "answers")) tickets)]
        {:refund_ticket_ids (mapv :id (filterv :refund decisions))
         :decisions         decisions
         :model             model
         :usage             (get reply "usage")}))))
