(ns extract
  "One request whose answer has a form: the model fills in a schema, and the workflow returns what it filled in.")

(def nullable-text {"type" ["string" "null"]})

(def facts-schema
  {"type" "object"
   "properties" {"owner" nullable-text "project" nullable-text "risk" nullable-text}
   "required" ["owner" "project" "risk"]
   "additionalProperties" false})

(defn run
  "Owner, project and risk of a note; nil for what it does not say."
  [{:keys [note]}]
  (let [answer (llm/request! {:system   "Take owner, project and risk from the note. Use null for what it does not say."
                              :messages [{:role "user" :content note}]
                              :schema   facts-schema})]
    (:structured_output answer)))
