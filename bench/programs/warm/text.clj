;;;; word frequencies
(let [text "The quick brown fox jumps over the lazy dog. The dog barks; the fox runs away."
      words (re-seq #"[a-z]+" (clojure.string/lower-case text))]
  (->> words
       (remove #{"the" "a" "over"})
       frequencies
       (sort-by (juxt (comp - val) key))
       (take 4)))
;;;; slug
(require '[clojure.string :as str])
(defn slug [title]
  (-> title
      str/trim
      str/lower-case
      (str/replace #"[^a-z0-9]+" "-")
      (str/replace #"(^-|-$)" "")))
(map slug ["Hello, World!" "  10 Tips & Tricks  " "C++ for you?" "---"])
;;;; caesar cipher
(defn shift-char [n c]
  (let [rotate (fn [base] (char (+ base (mod (+ (- (int c) base) n) 26))))]
    (cond
      (<= (int \a) (int c) (int \z)) (rotate (int \a))
      (<= (int \A) (int c) (int \Z)) (rotate (int \A))
      :else c)))
(defn encode [n s] (apply str (map (partial shift-char n) s)))
(let [secret (encode 3 "Attack at Dawn, xyz!")]
  [secret (encode -3 secret)])
;;;; wrap paragraph
(defn wrap [width text]
  (loop [words (clojure.string/split text #"\s+") line "" lines []]
    (if-let [word (first words)]
      (let [candidate (if (empty? line) word (str line " " word))]
        (if (<= (count candidate) width)
          (recur (rest words) candidate lines)
          (recur (rest words) word (conj lines line))))
      (conj lines line))))
(wrap 20 "Models write small programs for ordinary tasks and expect an answer at once.")
;;;; template
(defn render [template values]
  (clojure.string/replace template #"\{\{(\w+)\}\}"
                          (fn [[whole k]]
                            (str (get values (keyword k) whole)))))
(render "Dear {{name}}, your order {{order}} of {{items}} items ships {{day}}. {{unknown}}"
        {:name "Ada" :order "A-17" :items 3 :day "Monday"})
;;;; anagrams
(->> ["listen" "silent" "enlist" "google" "gogole" "cat" "act" "tac" "dog"]
     (group-by sort)
     vals
     (filter next)
     (map (comp vec sort))
     (sort-by count >))
;;;; extract emails and links
;data body "Write to ada@example.org or BOB.SMITH@mail.example.com, see https://example.org/help?id=3 and http://x.example."
(let [emails (re-seq #"[\w.+-]+@[\w-]+\.[\w.]+\w" data/body)
      urls (re-seq #"https?://[^\s,]+[^\s,.]" data/body)]
  {:emails (map clojure.string/lower-case emails)
   :domains (set (map #(second (clojure.string/split % #"@")) emails))
   :urls urls})
;;;; title case with exceptions
(let [small #{"of" "the" "and" "a" "in"}
      words (clojure.string/split "the lord of the rings and a hobbit in the shire" #" ")]
  (->> words
       (map-indexed (fn [i w]
                      (if (and (pos? i) (small w)) w (clojure.string/capitalize w))))
       (clojure.string/join " ")))
;;;; run length encoding
(defn rle [s]
  (apply str (mapcat (fn [g] [(count g) (first g)]) (partition-by identity s))))
(defn unrle [s]
  (apply str (for [[_ n c] (re-seq #"(\d+)(\D)" s)]
               (apply str (repeat (parse-long n) c)))))
(let [packed (rle "aaabccddddd")]
  {:packed packed :back (unrle packed) :same? (= "aaabccddddd" (unrle packed))})
;;;; palindromes
(defn palindrome? [s]
  (let [letters (filter #(Character/isLetterOrDigit %) (clojure.string/lower-case s))]
    (= letters (reverse letters))))
(into {} (map (juxt identity palindrome?)) ["A man, a plan, a canal: Panama" "Not one" "Was it a car or a cat I saw?" ""])
