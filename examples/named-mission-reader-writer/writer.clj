(ns writer
  "What the writer mission may do: put one text into its folder. It has no tool that reads.")

(defn save-summary
  "Writes a summary to summary.txt and gives that name."
  {:signature "(text :string) -> :string" :effect :write}
  [text]
  (get (cap/unwrap! (tool/write-text-file {"path" "summary.txt" "text" text})) "path"))
