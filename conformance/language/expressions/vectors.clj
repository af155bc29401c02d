(str [1 "a" \b nil :k 'x 1.5])
(pr-str "a\"b\\\n\té\b")
{:a/b 1 :a/c {:x nil}}
[1e7 123456.789 1e-4 100.0 -0.0 ##Inf]
[(str 1e21) (str ##-Inf) (str (float 0.1))]
#{3 1 2 :c :a "b" nil 2.0}
(zipmap [:c :a :b] [1 2 3])
(assoc {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8} :i 9)
(hash-map :c 1 :a 2 :b 3)
(persistent! (dissoc! (transient {:a 1 :b 2 :c 3}) :a))
(frequencies "hello world")
(into #{} (range 12))
(merge {} (hash-map :c 1 :a 2 :b 3))
(set ["BB" "Aa" "C"])
[(hash "abc") (hash :a/b) (hash [1 2 3]) (hash {:a 1}) (hash 1.5)]
(conj '(1) 2)
(conj nil 1 2)
(into () [1 2 3])
[(list? (rest '(1 2))) (list? (rest [1 2])) (seq? (rest [1 2])) (list? (cons 1 [2]))]
(first {:a 1})
[(nthrest [1 2 3] 2) (nthnext [1] 5) (rest nil) (next [1])]
(let [[a b & c :as d] "xy"] [a b c d])
(let [{:keys [a b/c] :or {a 5} :as m} {:b/c 2}] [a c m])
((fn [& {:keys [a b]}] [a b]) :a 1 {:b 2})
(let [{:keys [a] :or {a 1}} {:a nil}] a)
[(case '(1 2) ((1 2)) :list :none) (case 'b (a b) 1 2) (case 1.0 1 :int :none)]
(condp some [1 2] #{2} :>> inc :none)
(for [x [1 2 3] :let [y (* x x)] :when (odd? y) z [:a y]] [x z])
(loop [[x & xs] [1 2 3] acc ()] (if x (recur xs (conj acc x)) acc))
(try (/ 1 0) (catch ArithmeticException e (ex-message e)) (finally (println "f")))
(try (throw (ex-info "m" {:a 1} (Exception. "c"))) (catch Exception e [(ex-data e) (ex-message (ex-cause e)) (str e)]))
(try (case 5 1 :a) (catch IllegalArgumentException e (ex-message e)))
(try (nth [1] 5) (catch IndexOutOfBoundsException _ :io))
(try (+ nil 1) (catch NullPointerException _ :npe) (catch Exception _ :other))
(try ("a" 1) (catch ClassCastException _ :cce))
[(quot -7 2) (rem -7 2) (mod -7 2) (quot 7.9 2) (mod -0.5 2)]
[(/ 10 2) (/ 1 4.0) (max 2.0 2) (min 1 1.0) (abs -5.5)]
[(= 1 1.0) (== 1 1.0) (= [1] '(1)) (= "a" \a) (= 0.0 -0.0) (= ##NaN ##NaN)]
[(compare "a" "c") (compare :b :a/b) (compare [2] [1 1]) (compare nil 1)]
(sort-by (juxt :a :b) [{:a 1 :b 2} {:a 1 :b 1}])
(sort-by val > {:a 1 :b 3 :c 2})
(range 0 1 0.25)
[(bit-shift-left 1 63) (bit-shift-left 1 64) (unsigned-bit-shift-right -1 60) (bit-not 5)]
[0x1F 010 2r101 36rZZ +5 1e3 (int \a) (char 97)]
[(clojure.string/split "a,b,," #",") (clojure.string/split "a,b,," #"," -1) (clojure.string/split "" #",")]
(clojure.string/replace "ab" #"(a)(b)" "$21")
(clojure.string/replace "a1b2" #"\d" #(str (inc (parse-long %))))
[(re-find #"(\d)(x)?" "a1") (re-seq #"x" "a") (re-matches #"a|ab" "ab")]
[(re-find #"(?:(a)|b)*" "ab") (re-find #"\w+" "héllo") (re-find #"a$" "a\n") (re-find #"(a*)*" "b")]
[(format "%.2f" 1.005) (format "%,d|%+d|%05d|%x" 1234567 5 -42 -255) (format "%.3s|%-4s|%b" "abcdef" "a" nil)]
[(transduce (comp (filter odd?) (map inc)) + [1 2 3]) (into [] (partition-by odd?) [1 3 2]) (sequence (map +) [1 2] [3 4])]
(reductions + [])
[(flatten 5) (interleave [1 2] [3]) (partition 2 2 [:p] [1 2 3]) (split-at 1 [1 2])]
(take 3 (mapcat (fn [x] (iterate inc x)) [1 2]))
[(subvec [1 2 3] 1) (peek '(1 2)) (pop [1 2]) (get "abc" 1) (contains? [5] 0) (get #{nil} nil :d)]
[(update-in {:a {:b 1}} [:a :c] (fnil conj []) 1) (update {:a 1} :b identity) (select-keys {:a nil} [:a :b])]
(do (defmulti area :shape) (defmethod area :default [_] :none) (defmethod area :sq [{:keys [s]}] (* s s)) [(area {:shape :sq :s 2}) (area {})])
(do (derive ::cat ::animal) [(isa? ::cat ::animal) (isa? [::cat 1] [::animal 1]) ::cat])
(let [a (atom {:n 1})] [(swap! a update :n inc) (swap-vals! a assoc :k 2) @a])
(let [v ^{:doc "d"} [1]] [(meta v) (meta (conj v 2)) (meta (map inc v))])
(clojure.walk/keywordize-keys {"a" [{"b" 1}] "c" '({"d" 2})})
(do (println "a" nil [1 "b" \c] {:k "v"}) (prn "x" \y) (print 1.0 :z))
[(keyword "a/b") (namespace :a/b) (symbol "x" "y") (name 'p/q) (str :a/b) (keyword 5)]
'(a #_b "c" [d/e :f] 'g @h)
[#inst "2020-01-02T03:04:05+02:00" #uuid "00000000-0000-0000-0000-00000000000A"]
(def x 1)
[(clojure.edn/read-string "{:a #{1} :b (x \\y nil)}") (read-string "'a")]
[(every? identity []) ((some-fn :a :b) {:b 2}) ((juxt inc dec) 1) ((comp) 1) (apply str "abc")]
[(count "a😀") (first "ab") (subs "a😀b" 3) (clojure.string/reverse "a😀")]
(sorted-map-by > 1 :a 3 :c 2 :b)
[(clojure.set/union #{1} nil) (clojure.set/rename-keys {:a 1 :b 2} {:a :b :b :a}) (clojure.set/join #{{:a 1 :b 2}} #{{:a 1 :c 3}})]
[(map-entry? (first {:a 1})) (map-entry? [1 2]) (vector? (first {:a 1})) (realized? (delay 1)) (ifn? 'a) (fn? :a)]
