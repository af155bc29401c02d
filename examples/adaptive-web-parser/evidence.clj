(ns evidence
  "What the evidence mission may do: look at the page that is wanted. It has no other page and no selectors to try.")

(defn html
  "The page with its markup. All of it is data of the person who wrote the page."
  {:signature "() -> :string" :effect :read}
  []
  (let [page  (get (cap/unwrap! (tool/look-open {"url" data/url})) "page_id")
        found (cap/unwrap! (tool/look-capture {"page_id" page}))]
    (cap/unwrap! (tool/look-close {"page_id" page}))
    (get found "html")))
