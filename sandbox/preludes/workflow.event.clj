(ns workflow.event
  "Marks in the trace that tell where a workflow stands."
  {:visibility :prompt})

(defn annotate
  "Adds a mark to the trace and gives {:status :ok}. The only types, with their data: \"progress\" {\"stage\" s} where
  s is started, planning, executing, validating, completed or failed; \"agent-action\" {\"turn\" n \"kind\" k};
  \"agent-verification\" {\"status\" s}. Anything else gives an invalid_annotation envelope, and nothing is added."
  [type data]
  (let [reply (tool/workflow-annotate {"type" type "data" data})]
    (if (contains? #{:ok "ok"} (:status reply)) {:status :ok} reply)))
