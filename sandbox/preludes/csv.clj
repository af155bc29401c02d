(ns csv
  "Tables as comma-separated text (RFC 4180): csv/read gives rows, csv/write text. At most 1000000 characters, 50000
  rows and 1000 fields in a row."
  {:visibility :prompt})

(def ^:private most-characters 1000000)
(def ^:private most-rows 50000)
(def ^:private most-fields 1000)

(defn- refuse [message data]
  (throw (ex-info (str "csv: " message) data)))

(defn- one-character
  "An option that is one character, or its default."
  [options key default]
  (let [value (get options key default)]
    (if (and (string? value) (= 1 (count value)) (not (contains? #{"\n" "\r"} value)))
      value
      (refuse (str key " is one character, and no line end") {:option key}))))

(defn- settings [options allowed]
  (when-not (map? options) (refuse "the options are a map" {}))
  (doseq [key (keys options)]
    (when-not (contains? allowed key)
      (refuse (str "an option is none of " (clojure.string/join ", " (sort allowed))) {})))
  (let [separator (one-character options "separator" ",")
        mark (one-character options "quote" "\"")]
    (when (= separator mark) (refuse "separator and quote differ" {}))
    {:separator separator :mark mark :header (get options "header" true)}))

(defn- plain-fields
  "Fields of a line that has no quote."
  [line separator]
  (loop [from 0 fields []]
    (let [at (clojure.string/index-of line separator from)]
      (if (nil? at)
        (conj fields (subs line from))
        (recur (inc at) (conj fields (subs line from at)))))))

(defn- quoted-field
  "[value end] of the field whose first quote is before `from`; end is behind its last quote."
  [text from mark row]
  (loop [from from parts []]
    (let [at (clojure.string/index-of text mark from)]
      (when (nil? at) (refuse (str "row " row " has a quote that is not closed") {:row row}))
      (let [parts (conj parts (subs text from at)) after (inc at)]
        (if (and (< after (count text)) (= mark (subs text after (inc after))))
          (recur (inc after) (conj parts mark))
          [(apply str parts) after])))))

(defn- line-end
  "Where the line ends that goes on at `from`, without its line end."
  [text from]
  (let [at (or (clojure.string/index-of text "\n" from) (count text))]
    (if (and (< from at) (= "\r" (subs text (dec at) at))) (dec at) at)))

(defn- after-line-end
  "Where the next line begins; `at` is where this one ends."
  [text at]
  (let [left (- (count text) at)]
    (cond
      (zero? left) at
      (= "\n" (subs text at (inc at))) (inc at)
      :else (min (count text) (+ 2 at)))))

(defn- quoted-fields
  "[fields end] of a row that has quotes and may go on behind a line end."
  [text start {:keys [separator mark]} row]
  (loop [from start fields []]
    (let [quoted? (and (< from (count text)) (= mark (subs text from (inc from))))
          stop (line-end text from)
          [value end] (if quoted?
                        (quoted-field text (inc from) mark row)
                        (let [at (clojure.string/index-of text separator from)
                              end (if (or (nil? at) (> at stop)) stop at)]
                          [(subs text from end) end]))
          fields (conj fields value)
          stop (if quoted? (line-end text end) stop)]
      (cond
        (>= end stop) [fields end]
        (= separator (subs text end (inc end))) (recur (inc end) fields)
        :else (refuse (str "row " row " has text behind a quote") {:row row})))))

(defn- rows-of [text {:keys [separator mark] :as options}]
  (loop [from 0 rows []]
    (if (>= from (count text))
      rows
      (let [stop (line-end text from)
            line (subs text from stop)
            row (inc (count rows))
            [fields end] (if (clojure.string/includes? line mark)
                           (quoted-fields text from options row)
                           [(plain-fields line separator) stop])]
        (when (> (count fields) most-fields)
          (refuse (str "row " row " has more than " most-fields " fields") {:row row}))
        (if (= from end)
          (recur (after-line-end text end) rows)
          (do
            (when (> row most-rows) (refuse (str "the text has more than " most-rows " rows") {}))
            (recur (after-line-end text end) (conj rows fields))))))))

(defn- named-rows [[names & rows]]
  (when (and names (not= (count names) (count (set names)))) (refuse "two columns have one name" {}))
  (vec (map-indexed
        (fn [index fields]
          (if (= (count fields) (count names))
            (zipmap names fields)
            (refuse (str "row " (+ 2 index) " has " (count fields) " fields where the header has " (count names))
                    {:row (+ 2 index)})))
        rows)))

(defn read
  "The rows of a text: maps by the header row, with string keys; with {\"header\" false} vectors. Options: \"header\",
  \"separator\" (,) and \"quote\" (\"). All values are strings. An empty line is no row."
  {:effect :read}
  ([text] (read text {}))
  ([text options]
   (let [{:keys [header] :as read-by} (settings options #{"header" "separator" "quote"})]
     (when-not (string? text) (refuse "only a text can be read" {}))
     (when (> (count text) most-characters) (refuse (str "the text has more than " most-characters " characters") {}))
     (let [rows (rows-of (if (clojure.string/starts-with? text "\ufeff") (subs text 1) text) read-by)]
       (if (false? header) rows (named-rows rows))))))

(defn- field-text [value {:keys [separator mark]}]
  (let [text (cond
               (nil? value) ""
               (keyword? value) (name value)
               (or (coll? value) (fn? value)) (refuse "a field is a text, a number, a boolean, a keyword or nil" {})
               :else (str value))]
    (if (some (fn [part] (clojure.string/includes? text part)) [separator mark "\n" "\r"])
      (str mark (clojure.string/replace text mark (str mark mark)) mark)
      text)))

(defn- line-of [fields {:keys [mark] :as options}]
  (when (> (count fields) most-fields) (refuse (str "a row has more than " most-fields " fields") {}))
  (let [line (clojure.string/join (:separator options) (map (fn [value] (field-text value options)) fields))]
    ;; A row of one empty field would be read as no row.
    (str (if (= "" line) (str mark mark) line) "\r\n")))

(defn write
  "The text of rows: vectors as they are, maps under a header row. Options: \"header\" (a vector of the keys in their
  order; without it those of the first map), \"separator\" (,) and \"quote\" (\")."
  {:effect :read}
  ([rows] (write rows {}))
  ([rows options]
   (let [{:keys [header] :as write-by} (settings options #{"header" "separator" "quote"})
         rows (vec rows)
         names (cond (sequential? header) (vec header) (map? (first rows)) (vec (keys (first rows))) :else nil)]
     (when (> (count rows) most-rows) (refuse (str "there are more than " most-rows " rows") {}))
     (let [lines (map (fn [row]
                        (cond
                          (and names (map? row)) (line-of (map (fn [key] (get row key)) names) write-by)
                          (sequential? row) (line-of row write-by)
                          :else (refuse "all rows are vectors, or all are maps" {})))
                      rows)
           text (apply str (if (and names (not (false? header))) (cons (line-of names write-by) lines) lines))]
       (when (> (count text) most-characters) (refuse (str "the text has more than " most-characters " characters") {}))
       text))))
