(ns reader
  "What the reader mission may do: read text files of its folder. It has no tool that writes.")

(defn text-of
  "The whole text of a file."
  {:signature "(path :string) -> :string" :effect :read}
  [path]
  (let [fetch (fn [cursor] (cap/unwrap! (tool/read-text-file {"path" path "cursor" cursor})))
        pages (cap/fold-pages fetch conj [] {"max_pages" 100})]
    (if (get pages "complete?")
      (clojure.string/join "\n" (get pages "value"))
      (fail {:kind :invalid-input :reason :file-too-long}))))
