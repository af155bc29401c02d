(ns artifact
  "The selectors in use. This is the file that a repair replaces, and the only one.")

(defn recipe
  "Selectors of one quote, of its text and of its author, each TAG.CLASS."
  {:signature "() -> {item :string, text :string, author :string}" :effect :read}
  []
  {:item "li.quote-card", :text "p.quote-text", :author "p.quote-author"})
