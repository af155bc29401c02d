(ns browser
  "What the browser mission may do with a page: take records out of it. It cannot show the page itself to anybody.")

(defn records
  "The records of a page by the selectors of a recipe. The page is closed again."
  {:signature "(url :string, recipe {item :string, text :string, author :string}) -> [{text :string, author :string}]" :effect :read}
  [url {:keys [item text author]}]
  (let [page  (get (cap/unwrap! (tool/page-open {"url" url})) "page_id")
        found (cap/unwrap! (tool/page-extract {"page_id" page "item" item "text" text "author" author}))]
    (cap/unwrap! (tool/page-close {"page_id" page}))
    (get found "records")))
