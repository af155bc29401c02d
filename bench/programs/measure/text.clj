;;;; acronyms
(defn acronym [phrase]
  (->> (re-seq #"\b[A-Za-z]" phrase)
       (map clojure.string/upper-case)
       (apply str)))
(mapv acronym ["portable network graphics" "First In, First Out" "" "Ruby-on rails"])
;;;; vowel statistics
(let [vowel? (set "aeiou")
      text "Clojure programs are data, and data is easy to transform"
      {vowels true consonants false} (group-by (comp boolean vowel?)
                                               (filter #(Character/isLetter %) (clojure.string/lower-case text)))]
  {:vowels (count vowels)
   :consonants (count consonants)
   :commonest (key (apply max-key val (frequencies vowels)))
   :missing (sort (remove (set vowels) vowel?))})
;;;; camel and snake case
(require '[clojure.string :as str])
(defn camel->snake [s] (str/lower-case (str/replace s #"([a-z0-9])([A-Z])" "$1_$2")))
(defn snake->camel [s]
  (let [[head & tail] (str/split s #"_")]
    (apply str head (map str/capitalize tail))))
{:snake (map camel->snake ["userName" "httpStatusCode" "id"])
 :camel (map snake->camel ["user_name" "http_status_code" "id"])
 :round-trip (every? #(= % (snake->camel (camel->snake %))) ["aB" "fooBarBaz" "x"])}
;;;; longest common prefix
(defn common-prefix [a b]
  (apply str (map first (take-while (fn [[x y]] (= x y)) (map vector a b)))))
[(reduce common-prefix ["interview" "internet" "interval"])
 (reduce common-prefix ["dog" "cat"])]
;;;; edit distance
(defn distance [a b]
  (last
   (reduce (fn [row [i ca]]
             (reduce (fn [new-row [j cb]]
                       (conj new-row
                             (min (inc (peek new-row))
                                  (inc (nth row (inc j)))
                                  (+ (nth row j) (if (= ca cb) 0 1)))))
                     [(inc i)]
                     (map-indexed vector b)))
           (vec (range (inc (count b))))
           (map-indexed vector a))))
(for [[a b] [["kitten" "sitting"] ["flaw" "lawn"] ["" "abc"] ["same" "same"]]]
  [a b (distance a b)])
;;;; pig latin
(defn pig [word]
  (let [[_ start rest-of-word] (re-matches #"([^aeiou]*)(.*)" word)]
    (if (empty? start)
      (str word "way")
      (str rest-of-word start "ay"))))
(clojure.string/join " " (map pig (clojure.string/split "simple words translate into funny speech" #" ")))
;;;; number words
(def ones ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "thirteen" "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])
(def tens [nil nil "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn words [n]
  (cond
    (< n 20) (ones n)
    (< n 100) (let [[t o] [(quot n 10) (rem n 10)]]
                (if (zero? o) (tens t) (str (tens t) "-" (ones o))))
    (< n 1000) (str (ones (quot n 100)) " hundred"
                    (when (pos? (rem n 100)) (str " and " (words (rem n 100)))))
    :else (str (words (quot n 1000)) " thousand"
               (when (pos? (rem n 1000)) (str " " (words (rem n 1000)))))))
(mapv words [0 13 20 85 100 342 7001])
;;;; highlight search terms
;data article "Snapshots make isolates start fast. A snapshot holds the heap; starting from a snapshot skips parsing."
(let [terms ["snapshot" "heap"]
      pattern (re-pattern (str "(?i)\\b(" (clojure.string/join "|" terms) ")(s?)\\b"))
      marked (clojure.string/replace data/article pattern "**$1$2**")
      sentences (clojure.string/split data/article #"(?<=[.;])\s+")]
  {:marked marked
   :hits (count (re-seq pattern data/article))
   :sentences (keep-indexed (fn [i s] (when (re-find #"(?i)heap" s) [i s])) sentences)})
;;;; morse code
(def morse {\a ".-" \e "." \h "...." \l ".-.." \o "---" \s "..." \t "-"})
(def letters (clojure.set/map-invert morse))
(let [encode #(clojure.string/join " " (map morse %))
      decode (fn [s] (apply str (map letters (clojure.string/split s #" "))))]
  [(encode "hello") (decode "... --- ...") (= "lothse" (decode (encode "lothse")))])
;;;; readability
(defn syllables [word]
  (max 1 (count (re-seq #"[aeiouy]+" (clojure.string/lower-case word)))))
(let [text "Small tools are good. They do one thing, and they do it well! Do they?"
      sentences (remove clojure.string/blank? (clojure.string/split text #"[.!?]\s*"))
      words (mapcat #(re-seq #"\w+" %) sentences)]
  {:sentences (count sentences)
   :words (count words)
   :longest (first (sort-by (juxt (comp - count) identity) words))
   :syllables (transduce (map syllables) + words)})
