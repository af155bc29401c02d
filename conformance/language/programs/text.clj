(def text "It was the best of times, it was the worst of times")
(->> (re-seq #"\w+" (str/lower-case text)) frequencies (sort-by (fn [[w n]] [(- n) w])) (take 4))
;;;;
(defn title-case [s] (str/join " " (map str/capitalize (str/split s #"\s+"))))
[(title-case "the quick  brown fox") (title-case "") (title-case "ÉCOLE à")]
;;;;
(defn slug [s] (-> s str/lower-case (str/replace #"[^a-z0-9]+" "-") (str/replace #"^-|-$" "")))
(map slug ["Hello, World!" "  A  B " "--x--" "Ünï"])
;;;;
(defn camel->kebab [s] (str/lower-case (str/replace s #"([a-z])([A-Z])" "$1-$2")))
(defn kebab->camel [s] (str/replace s #"-(\w)" #(str/upper-case (second %))))
[(camel->kebab "someValueName") (kebab->camel "some-value-name")]
;;;;
(defn palindrome? [s] (let [t (re-seq #"[a-z]" (str/lower-case s))] (= t (reverse t))))
(map palindrome? ["A man, a plan, a canal: Panama" "hello" ""])
;;;;
(defn parse-query [s] (into {} (map (fn [p] (let [[k v] (str/split p #"=" 2)] [(keyword k) v]))) (str/split s #"&")))
(parse-query "a=1&b=two&c=x=y&d=")
;;;;
(defn wrap [n s]
  (loop [[w & ws] (str/split s #" ") line "" out []]
    (cond (nil? w) (conj out line)
          (= line "") (recur ws w out)
          (<= (+ (count line) 1 (count w)) n) (recur ws (str line " " w) out)
          :else (recur ws w (conj out line)))))
(wrap 10 "the quick brown fox jumps over")
;;;;
(let [log "2024-01-02 ERROR disk full\n2024-01-02 INFO ok\n2024-01-03 ERROR net down"
      parse (fn [l] (let [[_ d lvl msg] (re-matches #"(\S+) (\w+) (.*)" l)] {:date d :level lvl :msg msg}))]
  (->> (str/split-lines log) (map parse) (filter #(= "ERROR" (:level %))) (map (juxt :date :msg))))
;;;;
(defn tokenize [s] (map (fn [[_ n op id]] (cond n [:num (parse-long n)] op [:op op] :else [:id id])) (re-seq #"(\d+)|([-+*/=])|([a-z]+)" s)))
(tokenize "x = 3 + y1*42")
;;;;
(defn template [s m] (str/replace s #"\{\{(\w+)\}\}" (fn [[_ k]] (str (get m (keyword k) "?")))))
(template "Hi {{name}}, you are {{age}}. {{nope}}" {:name "Ann" :age 30})
;;;;
(defn anagrams [ws] (->> ws (group-by sort) vals (filter next) (map sort) (sort-by first)))
(anagrams ["listen" "silent" "enlist" "abc" "cab" "x"])
;;;;
(defn vowels [s] (count (filter (set "aeiouAEIOU") s)))
(map vowels ["Hello" "rhythm" "AEIOU" ""])
;;;;
(defn hex [s] (str/join " " (map #(format "%02x" (int %)) s)))
[(hex "AZ az") (hex "é\n")]
;;;;
(defn table [rows] (let [ws (apply map max (map #(map (comp count str) %) rows))] (doseq [r rows] (println (str/join " | " (map (fn [w c] (format (str "%-" w "s") (str c))) ws r))))))
(table [["name" "n"] ["apple" 10] ["fig" 2]])
;;;;
(println "plain" 'sym :kw 1.50 nil true \c "q\"q" [1 "two" \3 nil] {:k "v" "s" :t} #{1} '(a "b"))
(prn "plain" 'sym :kw 1.50 nil true \c "q\"q" [1 "two" \3 nil] {:k "v" "s" :t} #{1} '(a "b"))
;;;;
(print "a") (print "b" 1) (println) (pr "c" \d) (newline) (prn) (println "e")
;;;;
(doseq [x [1 1.0 -0.0 1e7 1e-5 123456789012 100000.5 0.1]] (println x (str x) (pr-str [x])))
;;;;
(with-out-str (dotimes [i 3] (println i "line")) (print "end"))
;;;;
(let [s (with-out-str (prn {:a [1 "x"]}))] [s (read-string s) (= {:a [1 "x"]} (read-string s))])
;;;;
(map (comp read-string pr-str) [1 -1.5 "a\nb" \newline :a/b 'c [1 [2]] '(1 2) {:a #{1}} nil true ##Inf])
;;;;
(let [s "a😀b"] [(count s) (map int s) (subs s 1 3) (str/reverse s) (re-seq #"." s) (str/upper-case s) (= s (apply str (seq s)))])
;;;;
(let [s "naïve café"] [(str/upper-case s) (re-seq #"\w+" s) (re-seq #"(?U)\w+" s) (re-seq #"\p{L}+" s) (str/index-of s "ï") (sort s)])
;;;;
(defn count-lines [s] [(count (str/split-lines s)) (count (str/split s #"\n")) (count (str/split s #"\n" -1))])
(map count-lines ["" "a" "a\n" "a\nb" "\n\n" "a\r\nb"])
;;;;
(map #(re-matches #"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})" %) ["127.0.0.1" "1.2.3" "1234.1.1.1"])
;;;;
(defn strip-tags [s] (str/replace s #"<[^>]+>" ""))
[(strip-tags "<p>Hi <b>there</b></p>") (strip-tags "a < b")]
;;;;
(defn md-links [s] (for [[_ t u] (re-seq #"\[([^\]]+)\]\(([^)]+)\)" s)] {:text t :url u}))
(md-links "see [one](http://a.b) and [two](c)")
;;;;
(let [re #"(?<user>\w+)@(?<host>[\w.]+)"] [(re-find re "mail ann@x.org") (str/replace "ann@x.org" re "${host}:${user}") (re-find re "none")])
;;;;
(defn number-words [n] (let [ones ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine"]] (str/join "-" (map #(ones (- (int %) (int \0))) (str n)))))
(map number-words [0 42 907])
;;;;
(defn morse [s] (str/join " " (map {\s "..." \o "---"} s)))
[(morse "sos") (morse "sx")]
;;;;
(defn diff-lines [a b] (let [a (str/split-lines a) b (str/split-lines b)] (keep identity (map (fn [x y] (when (not= x y) [x y])) a b))))
(diff-lines "a\nb\nc" "a\nx\nc")
;;;;
(defn json [x] (cond (nil? x) "null" (string? x) (pr-str x) (keyword? x) (pr-str (name x)) (map? x) (str "{" (str/join "," (for [[k v] x] (str (json k) ":" (json v)))) "}") (coll? x) (str "[" (str/join "," (map json x)) "]") :else (str x)))
(json {:a [1 2.5 nil true] "b" {:c "x\"y"}})
;;;;
(let [fmt (fn [n] (format "%,d" n))] (map fmt [0 1000 -1234567 999999999999]))
;;;;
(str/join "\n" (for [x [1.005 2.5 100 1e10]] (format "%8.2f|%e|%g" (double x) (double x) (double x))))
;;;;
(sort-by (juxt count identity) ["pear" "fig" "apple" "kiwi" "Fig"])
;;;;
(let [d (java.time.LocalDate/parse "2024-01-31")] (map #(str (.plusDays d %)) [-31 0 1 29 366]))
;;;;
(let [a #inst "2024-01-01" b #inst "2024-01-02T12:00:00Z"] [(- (inst-ms b) (inst-ms a)) (compare a b) (sort [b a]) (= a #inst "2024-01-01T00:00:00.000Z")])
;;;;
(let [parse #(try (Long/parseLong %) (catch NumberFormatException e (ex-message e)))] (map parse ["12" "x" "" "-7" "9999999999999999999"]))
;;;;
(reduce (fn [acc line] (if-let [[_ k v] (re-matches #"\s*(\w+)\s*=\s*(.*?)\s*" line)] (assoc acc (keyword k) v) acc)) {} (str/split-lines "a = 1\n# c\n b=two words \n"))
;;;;
(apply str (map-indexed (fn [i c] (if (even? i) (Character/toUpperCase c) c)) "alternate"))
;;;;
(let [sb (reduce (fn [s x] (str s (when (seq s) ",") x)) "" [1 2 3])] [sb (.length sb) (.indexOf sb "2") (.replace sb "," ";")])
