(ns fan-out
  "One agent for each document, all at once and in one mission. Each has its document as data of its own, and begins
  without what another one defined. What goes wrong with a document is a report of it, and stops no other.")

(defn- task [document]
  (str "data/document is the text of " document ". Return the invoice in it: \"supplier\", \"number\", \"cents\" (the total, "
       "in cents) and \"due\" (YYYY-MM-DD). If it holds no invoice, give the task up with (fail \"no invoice\")."))

(defn- read-document
  "What came of one document: its invoice, or why there is none."
  [{:keys [name text]}]
  (let [outcome (agent.core/run-outcome (task name)
                                        {"mission" "reading"
                                         "data" {"document" text}
                                         "return_contract" "invoice"
                                         "max_turns" 5})]
    (if (= :returned (:status outcome))
      {:document name :invoice (:value outcome)}
      {:document name :failure {:status (:status outcome) :kind (:kind outcome)}})))

(defn run
  "All invoices with their sum, and the documents that gave none."
  [{:keys [documents]}]
  (let [reports (vec (pmap read-document documents))
        invoices (filterv :invoice reports)]
    {:invoices invoices
     :failures (filterv :failure reports)
     :cents (sum-by (fn [report] (get-in report [:invoice :cents])) invoices)}))
