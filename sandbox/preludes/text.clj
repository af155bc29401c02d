(ns text
  "Lines, words and tables of plain text. At most 1000000 characters."
  {:visibility :prompt})

(def ^:private most-characters 1000000)
(def ^:private most-width 10000)

(defn- refuse [message]
  (throw (ex-info (str "text: " message) {})))

(defn- checked [text]
  (when (> (count text) most-characters) (refuse (str "the text has more than " most-characters " characters")))
  text)

(defn- split-at-all [text separator]
  (loop [from 0 parts []]
    (let [at (clojure.string/index-of text separator from)]
      (if (nil? at)
        (conj parts (subs text from))
        (recur (+ at (count separator)) (conj parts (subs text from at)))))))

(defn- without-return [line]
  (if (clojure.string/ends-with? line "\r") (subs line 0 (dec (count line))) line))

(defn lines
  "The lines of a text without their ends; one end at the very end begins no further line."
  {:signature "(text :string) -> [:string]" :effect :read}
  [text]
  (let [parts (split-at-all (checked text) "\n")
        parts (if (= "" (peek parts)) (pop parts) parts)]
    (vec (map without-return parts))))

(defn words
  "What white space separates."
  {:signature "(text :string) -> [:string]" :effect :read}
  [text]
  (vec (remove clojure.string/blank? (clojure.string/split (checked text) #"\s+"))))

(defn- joined
  "Lines as a text that ends as the original did."
  [original all]
  (str (clojure.string/join "\n" all) (if (clojure.string/ends-with? original "\n") "\n" "")))

(defn- margin [line]
  (- (count line) (count (clojure.string/triml line))))

(defn dedent
  "A text without the white space that all its lines begin with; blank lines become empty."
  {:signature "(text :string) -> :string" :effect :read}
  [text]
  (let [all (lines text)
        filled (remove clojure.string/blank? all)
        shared (if (empty? filled) 0 (apply min (map margin filled)))]
    (joined text (map (fn [line] (if (clojure.string/blank? line) "" (subs line shared))) all))))

(defn indent
  "A text with a prefix, or a number of spaces, before each line that is not blank."
  {:signature "(text :string, prefix :any) -> :string" :effect :read}
  [text prefix]
  (let [before (cond
                 (string? prefix) prefix
                 (and (int? prefix) (<= 0 prefix most-width)) (apply str (repeat prefix " "))
                 :else (refuse (str "a prefix is a text, or a number from 0 to " most-width)))]
    (joined text (map (fn [line] (if (clojure.string/blank? line) line (str before line))) (lines text)))))

(defn- wrapped-paragraph [paragraph width]
  (loop [left (seq (words paragraph)) line nil done []]
    (if (nil? left)
      (clojure.string/join "\n" (if (nil? line) done (conj done line)))
      (let [word (first left)
            longer (if (nil? line) word (str line " " word))]
        (if (or (nil? line) (<= (count longer) width))
          (recur (next left) longer done)
          (recur (next left) word (conj done line)))))))

(defn- paragraphs [text]
  (->> (lines text)
       (partition-by clojure.string/blank?)
       (remove (fn [part] (clojure.string/blank? (first part))))
       (map (fn [part] (clojure.string/join " " part)))))

(defn wrap
  "A text in lines of at most width characters; paragraphs, which blank lines separate, stay apart. A longer word stays
  whole."
  {:signature "(text :string, width :int) -> :string" :effect :read}
  [text width]
  (when-not (and (int? width) (<= 1 width most-width)) (refuse (str "a width is a number from 1 to " most-width)))
  (clojure.string/join "\n\n" (map (fn [paragraph] (wrapped-paragraph paragraph width)) (paragraphs text))))

(defn- pipe-cells
  "Cells of a line of pipes: those at its ends frame it, and \\| is a pipe within a cell."
  [line]
  (let [hidden (clojure.string/replace (clojure.string/trim line) "\\|" "\u0000")
        framed (if (clojure.string/starts-with? hidden "|") (subs hidden 1) hidden)
        inner (if (clojure.string/ends-with? framed "|") (subs framed 0 (dec (count framed))) framed)]
    (vec (map (fn [cell] (clojure.string/trim (clojure.string/replace cell "\u0000" "|"))) (split-at-all inner "|")))))

(defn- ruler? [line]
  (and (clojure.string/includes? line "-") (some? (re-matches #"[\s|:+=-]+" line))))

(defn- segments
  "[start end] of what two or more spaces separate in a line."
  [line]
  (loop [from (margin line) found []]
    (if (>= from (count line))
      found
      (let [end (or (clojure.string/index-of line "  " from) (count (clojure.string/trimr line)))
            rest-of (subs line end)]
        (recur (+ end (margin rest-of)) (conj found [from end]))))))

(defn- columns
  "[start end] of each column: what overlaps in any two lines is one."
  [all]
  (reduce
   (fn [found [start end]]
     (let [[last-start last-end] (peek found)]
       (if (and last-end (< start last-end))
         (conj (pop found) [last-start (max end last-end)])
         (conj found [start end]))))
   []
   (sort (distinct (mapcat segments all)))))

(defn- aligned-cells [line spans]
  (vec (map (fn [[start end]]
              (clojure.string/trim (subs line (min start (count line)) (min end (count line)))))
            spans)))

(defn table
  "The rows of a table as maps by its header row, with string keys: cells between pipes, or in columns that two or more
  spaces separate in every line. Lines of dashes are no rows."
  {:signature "(text :string) -> [:map]" :effect :read}
  [text]
  (let [filled (remove clojure.string/blank? (map (fn [line] (clojure.string/replace line "\t" "    ")) (lines text)))
        pipes? (and (seq filled) (clojure.string/includes? (first filled) "|"))
        content (vec (remove ruler? filled))
        rows (if pipes?
               (map pipe-cells content)
               (let [spans (columns content)] (map (fn [line] (aligned-cells line spans)) content)))
        names (first rows)]
    (when (and names (not= (count names) (count (set names)))) (refuse "two columns have one name"))
    (vec (map (fn [cells] (zipmap names (concat cells (repeat "")))) (rest rows)))))
