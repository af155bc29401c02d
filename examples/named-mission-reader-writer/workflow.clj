(ns workflow
  "Two agents with different rights: one can read and not write, the other can write and not read. What the second knows of
  the file is what the workflow passes on.")

(defn- read-brief [file]
  (agent.core/run-value (str "Return the whole text of the file " file ".") {"mission" "reader" "max_turns" 3}))

(defn- write-summary [text]
  (agent.core/run-value (str "Save a summary of one sentence of this text, then return the name of the file that you saved.\n\n" text)
                        {"mission" "writer" "max_turns" 3}))

(defn run
  "The text of the file, and the name of the file with its summary."
  [{:keys [file]}]
  (let [text (read-brief file)]
    {:read text :written (write-summary text)}))
