(ns cap
  "Capabilities: what there is to call, and how to take values out of what a call answers."
  {:visibility :discoverable})

(defn list
  "The capabilities that a model may be shown: name, description, schemas and effect of each."
  []
  (tool/cap-list {}))

(defn describe
  "Name, description, schemas and effect of one capability; nil for a name that is not there."
  [name]
  (tool/cap-describe {"name" name}))

(defn search
  "The capabilities that have to do with some words, best first:
  {\"hits\" [{\"name\" \"call\" \"doc\" \"effect\"}] \"total\" n}."
  [words]
  (tool/cap-search {"words" words}))

(defn- succeeded? [reply]
  (contains? #{:ok "ok"} (:status reply)))

(defn unwrap!
  "The value of a successful reply. Ends the program with `fail` of the same reply otherwise, also without a status."
  {:effect :read}
  [reply]
  (if (succeeded? reply) (:value reply) (fail reply)))

(defn- refuse [kind reason]
  (fail {:kind kind :reason reason}))

(defn- filled? [text]
  (and (string? text) (not (clojure.string/blank? text))))

(defn- check-request [max-pages cursor expected]
  (cond
    (not (and (int? max-pages) (pos? max-pages))) (refuse :invalid-request :invalid-max-pages)
    (not (or (nil? cursor) (filled? cursor))) (refuse :invalid-request :invalid-cursor)
    (and (some? cursor) (not (filled? expected))) (refuse :invalid-request :missing-snapshot-hash)))

(defn- check-page [page expected seen]
  (let [found (get page :snapshot-hash) cursor (get page :next-cursor)]
    (cond
      (not (sequential? (get page :items))) (refuse :invalid-response :invalid-items)
      (not (filled? found)) (refuse :invalid-response :missing-snapshot-hash)
      (and (some? expected) (not= expected found)) (refuse :invalid-response :snapshot-changed)
      (not (contains? page :next-cursor)) (refuse :invalid-response :missing-next-cursor)
      (not (or (nil? cursor) (filled? cursor))) (refuse :invalid-response :invalid-cursor)
      (contains? seen cursor) (refuse :invalid-response :cursor-cycle))))

(defn- fold-items
  "The value after the items of a page; a reduced value stays wrapped, so that the caller sees it."
  [step value items]
  (reduce (fn [value item]
            (let [next (step value item)]
              (if (reduced? next) (reduced next) next)))
          value items))

(defn fold-pages
  "Reduces the items of one page after the other, of which only one is held at a time. (fetch cursor) gives a page
  {\"items\" [...] \"snapshot_hash\" text \"next_cursor\" text-or-nil}; its first cursor is nil, or the \"cursor\" of
  opts, which then needs the \"snapshot_hash\" it came with. (step value item) gives the next value, `reduced` to stop.
  opts: \"max_pages\" is at least 1. Gives {\"value\" \"pages\" \"complete?\" \"next_cursor\" \"snapshot_hash\"};
  complete? is false when pages are left or a step stopped. A page that is not of this form, is of another snapshot or
  leads back to a cursor already used ends the program with `fail`."
  [fetch step initial opts]
  (let [max-pages (get opts :max-pages) start (get opts :cursor) expected (get opts :snapshot-hash)]
    (check-request max-pages start expected)
    (loop [cursor start expected expected value initial pages 1 seen (if (nil? start) #{} #{start})]
      (let [page (fetch cursor)]
        (check-page page expected seen)
        (let [snapshot (get page :snapshot-hash)
              following (get page :next-cursor)
              folded (fold-items step value (get page :items))
              stopped (reduced? folded)
              value (unreduced folded)]
          (if (or stopped (nil? following) (= pages max-pages))
            {"value" value
             "pages" pages
             "complete?" (and (not stopped) (nil? following))
             "next_cursor" following
             "snapshot_hash" snapshot}
            (recur following snapshot value (inc pages) (conj seen following))))))))
