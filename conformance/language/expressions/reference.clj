; One plain example of each form and function, under its name: the function reference shows it.

; def
(do (def price 3) (* 2 price))
; defonce
(do (defonce seen 1) (defonce seen 2) seen)
; declare
(do (declare later) (defn now [] (later)) (defn later [] :done) (now))
; defn
(do (defn area [w h] (* w h)) (area 3 4))
; defn-
(do (defn- helper [x] (inc x)) (helper 1))
; defmulti
(do (defmulti total :kind) (defmethod total :fixed [o] (:price o)) (total {:kind :fixed :price 5}))
; defmethod
(do (defmulti greet :lang) (defmethod greet :default [_] "hello") (greet {:lang :fr}))
; fn
((fn [x & more] [x (count more)]) 1 2 3)
; let
(let [{:keys [name age]} {:name "Ada" :age 36}] [name age])
; letfn
(letfn [(ev? [n] (if (zero? n) true (od? (dec n)))) (od? [n] (if (zero? n) false (ev? (dec n))))] (ev? 10))
; loop
(loop [n 5 acc 1] (if (= n 0) acc (recur (dec n) (* acc n))))
; recur
(loop [xs [1 2 3] sum 0] (if (seq xs) (recur (rest xs) (+ sum (first xs))) sum))
; if
(if (< 1 2) :yes :no)
; if-not
(if-not (seq []) :empty :some)
; if-let
(if-let [user (get {:a 1} :a)] user :missing)
; if-some
(if-some [flag (get {:on false} :on)] [:set flag] :unset)
; when
(when (> 3 2) (println "three is more") :done)
; when-not
(when-not (empty? [1]) :something)
; when-let
(when-let [[first-one] (seq [7 8])] first-one)
; when-some
(when-some [x (first [false])] [:got x])
; when-first
(when-first [x (filter even? [1 2 3 4])] x)
; cond
(let [n 7] (cond (< n 5) :low (< n 10) :middle :else :high))
; condp
(condp = 3 1 :one 2 :two 3 :three :many)
; case
(case "pear" "apple" 1 ("pear" "plum") 2 0)
; do
(do (println "working") 42)
; and
(and (pos? 3) (odd? 3) :both)
; or
(or nil false (:name {:name "x"}))
; ->
(-> {:a 1} (assoc :b 2) (update :a inc))
; ->>
(->> (range 10) (filter odd?) (map #(* % %)) (reduce +))
; as->
(as-> [3 1 2] v (sort v) (vec v) (conj v 9))
; cond->
(cond-> {:n 1} true (assoc :ok true) false (assoc :no true))
; cond->>
(cond->> [1 2 3] true (map inc) false (filter even?))
; some->
(some-> {:user {:name "Ada"}} :user :name)
; some->>
(some->> [1 2] (map inc) (reduce +))
; doto
(doto (inc 1) (println))
; ..
(.. " padded " (trim) (toUpperCase))
; .
(. "hello" (substring 1 3))
; new
(new String "text")
; for
(for [x [1 2 3] y [:a :b] :when (odd? x)] [x y])
; doseq
(doseq [[k v] [[:a 1] [:b 2]]] (println k v))
; dotimes
(dotimes [i 3] (println "round" i))
; while
(let [n (atom 3)] (while (pos? @n) (swap! n dec)) @n)
; quote
(quote (+ 1 2))
; var
(do (def limit 10) (deref (var limit)))
; comment
(comment (this is never run))
; lazy-seq
(take 3 ((fn ones [] (lazy-seq (cons 1 (ones))))))
; lazy-cat
(take 4 (lazy-cat [1 2] (map inc [10 20])))
; delay
(let [d (delay (println "once") 5)] [@d @d])
; vswap!
(let [v (volatile! 1)] (vswap! v + 10) @v)
; try
(try (/ 1 0) (catch ArithmeticException e :by-zero))
; catch
(try (parse-long nil) (catch Exception e :not-a-text))
; finally
(try :value (finally (println "always")))
; throw
(try (throw (ex-info "no stock" {:sku 7})) (catch Exception e (ex-data e)))
; assert
(try (assert (pos? -1) "positive, please") (catch AssertionError e (ex-message e)))
; with-out-str
(with-out-str (print "captured"))
; require
(do (require '[clojure.string :as s]) (s/upper-case "loud"))
; +
(+ 1 2 3)
; *
(* 2 3 4)
; -
(- 10 1 2)
; /
(/ 10 4.0)
; inc
(inc 41)
; dec
(dec 43)
; quot
(quot 17 5)
; rem
(rem -7 3)
; mod
(mod -7 3)
; <
(< 1 2 3)
; <=
(<= 1 1 2)
; >
(> 3 2 1)
; >=
(>= 3 3 2)
; ==
(== 1 1.0)
; +'
(+' 1 2)
; *'
(*' 3 4)
; -'
(-' 5 2)
; inc'
(inc' 1)
; dec'
(dec' 1)
; abs
(abs -5)
; num
(num 3)
; max
(max 3 9 4)
; min
(min 3 9 4)
; int
(int 3.9)
; long
(long 3.9)
; short
(short 12)
; byte
(byte 12)
; char
(char 97)
; double
(double 3)
; float
(float 1.5)
; bigint
(str (bigint 12))
; biginteger
(str (biginteger 12))
; boolean
(boolean nil)
; bit-and
(bit-and 12 10)
; bit-or
(bit-or 12 10)
; bit-xor
(bit-xor 12 10)
; bit-and-not
(bit-and-not 12 10)
; bit-not
(bit-not 7)
; bit-shift-left
(bit-shift-left 1 4)
; bit-shift-right
(bit-shift-right 16 2)
; unsigned-bit-shift-right
(unsigned-bit-shift-right 16 2)
; bit-set
(bit-set 8 0)
; bit-clear
(bit-clear 9 0)
; bit-flip
(bit-flip 9 1)
; bit-test
(bit-test 9 3)
; zero?
(zero? 0)
; pos?
(pos? 3)
; neg?
(neg? -3)
; NaN?
(NaN? ##NaN)
; infinite?
(infinite? ##Inf)
; even?
(even? 4)
; odd?
(odd? 4)
; parse-long
(mapv parse-long ["12" "1.5" "x"])
; parse-double
(mapv parse-double ["1.5" "2" "x"])
; parse-boolean
(mapv parse-boolean ["true" "false" "yes"])
; parse-uuid
(parse-uuid "not a uuid")
; =
(= [1 {:a 2}] (list 1 {:a 2}))
; not=
(not= 1 2)
; identical?
(identical? :a :a)
; hash
(= (hash [1 2]) (hash '(1 2)))
; compare
(compare "apple" "banana")
; sort
(sort > [3 1 2])
; sort-by
(sort-by :age [{:age 30} {:age 20}])
; comparator
(sort (comparator >) [1 2 3])
; max-key
(max-key count "a" "abc" "ab")
; min-key
(min-key count "abc" "a" "ab")
; distinct?
(distinct? 1 2 1)
; class
(class "text")
; type
(type :word)
; instance?
(instance? String "text")
; nil?
(nil? (get {} :missing))
; some?
(filterv some? [1 nil false])
; any?
(any? nil)
; true?
(true? 1)
; false?
(false? nil)
; boolean?
(boolean? false)
; not
(not nil)
; string?
(string? "text")
; char?
(char? \a)
; keyword?
(keyword? :a)
; symbol?
(symbol? 'a)
; ident?
(mapv ident? [:a 'b "c"])
; simple-keyword?
(mapv simple-keyword? [:a :n/a])
; qualified-keyword?
(mapv qualified-keyword? [:a :n/a])
; simple-symbol?
(mapv simple-symbol? ['a 'n/a])
; qualified-symbol?
(mapv qualified-symbol? ['a 'n/a])
; simple-ident?
(mapv simple-ident? [:a 'n/a])
; qualified-ident?
(mapv qualified-ident? [:a 'n/a])
; map?
(map? {:a 1})
; set?
(set? #{1})
; coll?
(mapv coll? [[1] {:a 1} "text"])
; fn?
(mapv fn? [inc :a])
; ifn?
(mapv ifn? [inc :a {} 1])
; var?
(do (def v 1) (var? #'v))
; delay?
(delay? (delay 1))
; volatile?
(volatile? (volatile! 1))
; inst?
(inst? #inst "2024-05-01")
; uuid?
(uuid? (parse-uuid "550e8400-e29b-41d4-a716-446655440000"))
; reduced?
(reduced? (reduced 1))
; vector?
(mapv vector? [[1] '(1)])
; list?
(mapv list? ['(1) [1]])
; seq?
(mapv seq? ['(1) (map inc [1]) [1]])
; sequential?
(mapv sequential? [[1] '(1) #{1}])
; associative?
(mapv associative? [{:a 1} [1] #{1}])
; counted?
(mapv counted? [[1] (map inc [1])])
; indexed?
(mapv indexed? [[1] '(1)])
; reversible?
(mapv reversible? [[1] '(1)])
; sorted?
(mapv sorted? [(sorted-map) {}])
; seqable?
(mapv seqable? [[1] "text" nil 5])
; map-entry?
(map-entry? (first {:a 1}))
; number?
(mapv number? [1 2.5 "3"])
; rational?
(mapv rational? [1 2.5])
; integer?
(mapv integer? [1 1.0])
; int?
(mapv int? [1 1.5 "1"])
; float?
(mapv float? [1 1.5])
; double?
(mapv double? [1 1.5])
; pos-int?
(mapv pos-int? [1 0 -1 1.5])
; neg-int?
(mapv neg-int? [1 0 -1])
; nat-int?
(mapv nat-int? [1 0 -1])
; ratio?
(ratio? 0.5)
; decimal?
(decimal? 1.5)
; bytes?
(bytes? "text")
; uri?
(uri? "http://localhost")
; tagged-literal?
(tagged-literal? 1)
; reader-conditional?
(reader-conditional? 1)
; empty?
(mapv empty? [[] "" nil [1]])
; realized?
(let [d (delay 1)] [(realized? d) @d (realized? d)])
; class?
(mapv class? [String "text"])
; identity
(map identity [1 2])
; constantly
(map (constantly 0) [1 2 3])
; complement
(filter (complement even?) [1 2 3])
; partial
(map (partial * 10) [1 2 3])
; comp
((comp str inc) 1)
; juxt
((juxt count first last) [1 2 3])
; apply
(apply max [3 1 2])
; fnil
(update {} :hits (fnil inc 0))
; every-pred
(filter (every-pred pos? even?) [-2 1 2 4])
; some-fn
((some-fn :nick :name) {:name "Ada"})
; memoize
(let [f (memoize (fn [x] (println "computing") (* x x)))] [(f 3) (f 3)])
; trampoline
(trampoline (fn f [n] (if (zero? n) :done #(f (dec n)))) 1000)
; completing
(transduce (map inc) (completing + str) 0 [1 2 3])
; reduced
(reduce (fn [sum x] (if (> sum 5) (reduced sum) (+ sum x))) 0 (range))
; unreduced
(unreduced (reduced 3))
; ensure-reduced
@(ensure-reduced 5)
; seq
(mapv seq [[1 2] "ab" [] nil])
; first
(first [1 2 3])
; second
(second [1 2 3])
; last
(last [1 2 3])
; ffirst
(ffirst [[1 2] [3 4]])
; fnext
(fnext [1 2 3])
; nfirst
(nfirst [[1 2 3] [4]])
; nnext
(nnext [1 2 3 4])
; next
(mapv next [[1 2 3] [1]])
; rest
(mapv rest [[1 2 3] []])
; butlast
(butlast [1 2 3])
; count
(mapv count [[1 2] "abc" {:a 1} nil])
; nth
(nth [:a :b :c] 1)
; nthrest
(nthrest [1 2 3 4] 2)
; nthnext
(nthnext [1 2 3 4] 2)
; cons
(cons 0 [1 2])
; list
(list 1 2 3)
; list*
(list* 1 2 [3 4])
; vector
(vector 1 2 3)
; vec
(vec '(1 2 3))
; set
(= (set [1 2 2 3]) #{1 2 3})
; conj
[(conj [1 2] 3) (conj '(1 2) 3)]
; into
(into {} [[:a 1] [:b 2]])
; reverse
(reverse [1 2 3])
; subvec
(subvec [1 2 3 4] 1 3)
; rseq
(rseq [1 2 3])
; empty
(empty [1 2])
; not-empty
(mapv not-empty [[1] []])
; peek
[(peek [1 2 3]) (peek '(1 2 3))]
; pop
[(pop [1 2 3]) (pop '(1 2 3))]
; doall
(doall (map inc [1 2]))
; dorun
(dorun (map println [1 2]))
; run!
(run! println [:a :b])
; bounded-count
(bounded-count 3 (map inc (range)))
; map
(map + [1 2 3] [10 20 30])
; mapv
(mapv #(* % %) [1 2 3])
; filter
(filter even? (range 10))
; remove
(remove nil? [1 nil 2])
; keep
(keep :price [{:price 1} {} {:price 3}])
; map-indexed
(map-indexed vector [:a :b])
; keep-indexed
(keep-indexed (fn [i x] (when (even? i) x)) [:a :b :c])
; filterv
(filterv pos? [-1 2 3])
; mapcat
(mapcat #(repeat % %) [1 2 3])
; distinct
(distinct [1 2 1 3 2])
; dedupe
(dedupe [1 1 2 1])
; replace
(replace {1 :one} [1 2 1])
; concat
(concat [1 2] [3] nil [4])
; interleave
(interleave [:a :b] [1 2])
; interpose
(interpose :and [1 2 3])
; flatten
(flatten [1 [2 [3 4]]])
; take
(take 3 (range))
; drop
(drop 2 [1 2 3 4])
; take-while
(take-while pos? [2 1 0 5])
; drop-while
(drop-while neg? [-2 -1 0 1])
; take-nth
(take-nth 2 [1 2 3 4 5])
; take-last
(take-last 2 [1 2 3])
; drop-last
(drop-last 2 [1 2 3 4])
; split-at
(split-at 2 [1 2 3 4])
; split-with
(split-with neg? [-2 -1 3 4])
; partition
(partition 2 [1 2 3 4 5])
; partition-all
(partition-all 2 [1 2 3 4 5])
; partition-by
(partition-by odd? [1 3 2 4 5])
; reduce
(reduce + 10 [1 2 3])
; reduce-kv
(reduce-kv (fn [sum _ v] (+ sum v)) 0 {:a 1 :b 2})
; reductions
(reductions + [1 2 3 4])
; some
(some #{3 4} [1 2 3])
; every?
(every? pos? [1 2 3])
; not-any?
(not-any? neg? [1 2 3])
; not-every?
(not-every? even? [2 3])
; frequencies
(frequencies [:a :b :a])
; group-by
(group-by odd? [1 2 3 4])
; zipmap
(zipmap [:a :b] [1 2])
; range
(range 0 10 3)
; repeat
(repeat 3 :x)
; replicate
(replicate 2 :x)
; repeatedly
(let [n (atom 0)] (doall (repeatedly 3 #(swap! n inc))))
; iterate
(take 5 (iterate #(* 2 %) 1))
; cycle
(take 5 (cycle [1 2]))
; tree-seq
(filter number? (tree-seq coll? seq [1 [2 [3]]]))
; transduce
(transduce (comp (filter odd?) (map inc)) + (range 6))
; eduction
(into [] (eduction (map inc) (filter even?) [1 2 3]))
; sequence
(sequence (map inc) [1 2 3])
; cat
(into [] cat [[1 2] [3]])
; halt-when
(transduce (halt-when neg?) conj [] [1 2 -3 4])
; transient
(persistent! (conj! (transient []) 1))
; persistent!
(persistent! (reduce conj! (transient []) (range 3)))
; conj!
(persistent! (conj! (transient #{}) :a))
; assoc!
(persistent! (assoc! (transient {}) :a 1))
; dissoc!
(persistent! (dissoc! (transient {:a 1 :b 2}) :a))
; disj!
(persistent! (disj! (transient #{1 2}) 1))
; pop!
(persistent! (pop! (transient [1 2 3])))
; hash-map
(hash-map :a 1)
; array-map
(array-map :b 1 :a 2)
; hash-set
(= (hash-set 1 2 1) #{1 2})
; sorted-map
(sorted-map :b 1 :a 2)
; sorted-map-by
(sorted-map-by > 1 :a 2 :b)
; sorted-set
(sorted-set 3 1 2)
; sorted-set-by
(sorted-set-by > 3 1 2)
; get
(get {:a 1} :b :none)
; get-in
(get-in {:user {:tags ["x" "y"]}} [:user :tags 1])
; find
(find {:a nil} :a)
; contains?
[(contains? {:a nil} :a) (contains? [:x :y] 1)]
; keys
(keys {:a 1 :b 2})
; vals
(vals {:a 1 :b 2})
; key
(map key {:a 1 :b 2})
; val
(map val {:a 1 :b 2})
; assoc
(assoc {:a 1} :b 2 :c 3)
; assoc-in
(assoc-in {} [:user :name] "Ada")
; update
(update {:n 1} :n + 10)
; update-in
(update-in {:a {:n 1}} [:a :n] inc)
; dissoc
(dissoc {:a 1 :b 2} :a)
; select-keys
(select-keys {:a 1 :b 2 :c 3} [:a :c])
; merge
(merge {:a 1 :b 2} {:b 3})
; merge-with
(merge-with + {:a 1 :b 2} {:b 3})
; update-keys
(update-keys {:a 1 :b 2} name)
; update-vals
(update-vals {:a 1 :b 2} inc)
; disj
(disj #{1 2} 2)
; subseq
(subseq (sorted-set 1 2 3 4) > 2)
; rsubseq
(rsubseq (sorted-set 1 2 3 4) < 3)
; str
(str "a" 1 nil :b)
; subs
(subs "hello" 1 3)
; name
(mapv name [:a/b 'c "d"])
; namespace
(namespace :user/name)
; keyword
[(keyword "a") (keyword "n" "a")]
; symbol
(symbol "a")
; gensym
(symbol? (gensym "tmp"))
; pr-str
(pr-str {:a "text"})
; prn-str
(prn-str "a" :b)
; print-str
(print-str "a" :b)
; println-str
(println-str "a" 1)
; format
(format "%-5s|%5.2f|%03d" "ab" 3.14159 7)
; printf
(printf "%d items%n" 3)
; read-string
(read-string "{:a [1 2]}")
; print
(print "no" "newline")
; println
(println "hello" 1 :a)
; pr
(pr "text" :a)
; prn
(prn {:a "b"})
; newline
(do (print "a") (newline) (print "b"))
; flush
(flush)
; atom
(let [a (atom 0)] (swap! a inc) (swap! a inc) @a)
; swap!
(swap! (atom {:n 1}) update :n inc)
; reset!
(let [a (atom 1)] (reset! a 5) @a)
; swap-vals!
(swap-vals! (atom 1) inc)
; reset-vals!
(reset-vals! (atom 1) 2)
; compare-and-set!
(let [a (atom 1)] [(compare-and-set! a 1 2) (compare-and-set! a 1 3) @a])
; deref
(deref (atom 7))
; volatile!
(let [v (volatile! 0)] (vreset! v 5) @v)
; vreset!
(vreset! (volatile! 0) 5)
; force
(force (delay (+ 1 2)))
; meta
(meta (with-meta [1] {:source :api}))
; with-meta
(let [v (with-meta [1 2] {:unit :cm})] [v (meta v)])
; vary-meta
(meta (vary-meta ^{:n 1} [] update :n inc))
; inst-ms
(inst-ms #inst "1970-01-01T00:00:01Z")
; ex-info
(ex-message (ex-info "no stock" {:sku 7}))
; ex-data
(ex-data (ex-info "no stock" {:sku 7}))
; ex-message
(try (throw (ex-info "late" {})) (catch Exception e (ex-message e)))
; ex-cause
(ex-message (ex-cause (ex-info "outer" {} (ex-info "inner" {}))))
; derive
(isa? (derive (make-hierarchy) :dog :animal) :dog :animal)
; underive
(isa? (underive (derive (make-hierarchy) :dog :animal) :dog :animal) :dog :animal)
; isa?
(isa? (derive (make-hierarchy) :cat :animal) :cat :animal)
; parents
(parents (derive (make-hierarchy) :dog :animal) :dog)
; ancestors
(ancestors (derive (make-hierarchy) :dog :animal) :dog)
; descendants
(descendants (derive (make-hierarchy) :dog :animal) :animal)
; make-hierarchy
(make-hierarchy)
; get-method
(do (defmulti f :k) (defmethod f :a [_] 1) ((get-method f :a) {}))
; methods
(do (defmulti f :k) (defmethod f :a [_] 1) (keys (methods f)))
; remove-method
(do (defmulti f :k) (defmethod f :a [_] 1) (remove-method f :a) (methods f))
; remove-all-methods
(do (defmulti f :k) (defmethod f :a [_] 1) (remove-all-methods f) (methods f))
; prefer-method
(do (defmulti f identity) (prefer-method f :a :b) (prefers f))
; prefers
(do (defmulti f identity) (prefer-method f :x :y) (prefers f))
; re-pattern
(re-find (re-pattern "a+") "baaad")
; re-find
(re-find #"(\w+)@(\w+)" "mail ada@lab now")
; re-matches
(re-matches #"\d{4}-\d{2}" "2024-05")
; re-seq
(re-seq #"\d+" "1 apple, 23 pears")
; clojure.string/join
(str/join ", " ["a" "b" "c"])
; clojure.string/split
(str/split "a,b,,c" #",")
; clojure.string/split-lines
(str/split-lines "one\ntwo")
; clojure.string/replace
(str/replace "2024-05-01" #"-" "/")
; clojure.string/replace-first
(str/replace-first "a-b-c" "-" "+")
; clojure.string/upper-case
(str/upper-case "loud")
; clojure.string/lower-case
(str/lower-case "QuIeT")
; clojure.string/capitalize
(str/capitalize "ada LOVELACE")
; clojure.string/trim
(str/trim "  text \n")
; clojure.string/triml
(str/triml "  text ")
; clojure.string/trimr
(str/trimr "  text ")
; clojure.string/trim-newline
(str/trim-newline "line\r\n")
; clojure.string/blank?
(mapv str/blank? ["" "  " "a" nil])
; clojure.string/starts-with?
(str/starts-with? "order-17" "order-")
; clojure.string/ends-with?
(str/ends-with? "report.csv" ".csv")
; clojure.string/includes?
(str/includes? "a needle here" "needle")
; clojure.string/index-of
(str/index-of "abcabc" "c")
; clojure.string/last-index-of
(str/last-index-of "abcabc" "c")
; clojure.string/reverse
(str/reverse "abc")
; clojure.string/escape
(str/escape "a<b" {\< "&lt;"})
; clojure.string/re-quote-replacement
(str/replace "cost" #"cost" (str/re-quote-replacement "$5"))
; clojure.set/union
(sort (set/union #{1 2} #{2 3}))
; clojure.set/intersection
(set/intersection #{1 2 3} #{2})
; clojure.set/difference
(set/difference #{1 2} #{2 3})
; clojure.set/subset?
(set/subset? #{1} #{1 2})
; clojure.set/superset?
(set/superset? #{1 2} #{1})
; clojure.set/select
(set/select even? #{1 2})
; clojure.set/project
(set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a])
; clojure.set/join
(set/join #{{:id 1 :n "x"}} #{{:id 1 :p 9}})
; clojure.set/rename
(set/rename #{{:a 1}} {:a :z})
; clojure.set/rename-keys
(set/rename-keys {:a 1 :b 2} {:a :z})
; clojure.set/map-invert
(set/map-invert {:a 1 :b 2})
; clojure.set/index
(set/index #{{:k 1 :v 2}} [:k])
; clojure.walk/walk
(walk/walk inc #(reduce + %) [1 2 3])
; clojure.walk/prewalk
(walk/prewalk #(if (number? %) (inc %) %) [1 {:a 2}])
; clojure.walk/postwalk
(walk/postwalk #(if (string? %) (keyword %) %) [{"a" ["b"]}])
; clojure.walk/keywordize-keys
(walk/keywordize-keys {"a" {"b" 1}})
; clojure.walk/stringify-keys
(walk/stringify-keys {:a {:b 1}})
; clojure.walk/prewalk-replace
(walk/prewalk-replace {:x 1} [:x [:x :y]])
; clojure.walk/postwalk-replace
(walk/postwalk-replace {:x 1} [:x [:x :y]])
; clojure.edn/read-string
(edn/read-string "{:a [1 #{2}]}")
; clojure.math/E
math/E
; clojure.math/PI
math/PI
; clojure.math/sin
(math/sin 0.0)
; clojure.math/cos
(math/cos 0.0)
; clojure.math/tan
(math/tan 0.0)
; clojure.math/asin
(math/asin 0.0)
; clojure.math/acos
(math/acos 1.0)
; clojure.math/atan
(math/atan 0.0)
; clojure.math/sinh
(math/sinh 0.0)
; clojure.math/cosh
(math/cosh 0.0)
; clojure.math/tanh
(math/tanh 0.0)
; clojure.math/exp
(math/exp 0.0)
; clojure.math/expm1
(math/expm1 0.0)
; clojure.math/log
(math/log 1.0)
; clojure.math/log10
(math/log10 1000.0)
; clojure.math/log1p
(math/log1p 0.0)
; clojure.math/sqrt
(math/sqrt 2.25)
; clojure.math/cbrt
(math/cbrt 27.0)
; clojure.math/ceil
(math/ceil 2.1)
; clojure.math/floor
(math/floor 2.9)
; clojure.math/rint
(mapv math/rint [1.5 2.5])
; clojure.math/signum
(math/signum -2.5)
; clojure.math/to-degrees
(math/to-degrees math/PI)
; clojure.math/to-radians
(math/to-radians 0.0)
; clojure.math/ulp
(math/ulp 1.0)
; clojure.math/round
(mapv math/round [2.4 2.5 -2.5])
; clojure.math/next-up
(math/next-up 1.0)
; clojure.math/next-down
(math/next-down 1.0)
; clojure.math/get-exponent
(math/get-exponent 8.0)
; clojure.math/pow
(math/pow 2 10)
; clojure.math/atan2
(math/atan2 0.0 1.0)
; clojure.math/hypot
(math/hypot 3 4)
; clojure.math/IEEE-remainder
(math/IEEE-remainder 5.0 3.0)
; clojure.math/copy-sign
(math/copy-sign 3.0 -1.0)
; clojure.math/next-after
(math/next-after 1.0 2.0)
; clojure.math/scalb
(math/scalb 1.5 4)
; clojure.math/floor-div
(math/floor-div -7 2)
; clojure.math/floor-mod
(math/floor-mod -7 2)
; clojure.math/add-exact
(math/add-exact 2 3)
; clojure.math/subtract-exact
(math/subtract-exact 2 3)
; clojure.math/multiply-exact
(math/multiply-exact 2 3)
; clojure.math/negate-exact
(math/negate-exact 5)
; clojure.math/increment-exact
(math/increment-exact 5)
; clojure.math/decrement-exact
(math/decrement-exact 5)
; pmap
(pmap #(* % %) [1 2 3])
; pcalls
(pcalls (fn [] :a) (fn [] :b))
; defprotocol
(do (defprotocol Shape (area [this])) (extend-type String Shape (area [s] (count s))) (area "abc"))
; defrecord
(do (defrecord Point [x y]) [(->Point 1 2) (:x (map->Point {:x 5}))])
; extend-type
(do (defprotocol Sized (size [x])) (extend-type nil Sized (size [_] 0)) (size nil))
; extend-protocol
(do (defprotocol Kind (kind [x])) (extend-protocol Kind String (kind [_] :text) Number (kind [_] :number)) (map kind ["a" 1]))
; reify
(do (defprotocol Greeter (greet [g])) (let [n "Ada"] (greet (reify Greeter (greet [_] (str "hello " n))))))
; binding
(do (def ^:dynamic *unit* :cm) (defn size [n] [n *unit*]) (binding [*unit* :m] (size 3)))
; set!
(do (def ^:dynamic *n* 0) (binding [*n* 1] (set! *n* 5) *n*))
; record?
(do (defrecord Point [x y]) (map record? [(->Point 1 2) {:x 1 :y 2}]))
; satisfies?
(do (defprotocol P (f [x])) (extend-type String P (f [s] s)) (map #(satisfies? P %) ["a" 1]))
; extends?
(do (defprotocol P (f [x])) (extend-type String P (f [s] s)) (extends? P String))
; extenders
(do (defprotocol P (f [x])) (extend-type String P (f [s] s)) (extenders P))
; extend
(do (defprotocol P (f [x])) (extend String P {:f count}) (f "abc"))
; re-matcher
(let [m (re-matcher #"(?<d>\d)" "1 2")] [(re-find m) (re-find m) (.group m "d")])
; re-groups
(let [m (re-matcher #"(\d)(\w)" "1a")] (re-find m) (re-groups m))
; clojure.pprint/pprint
(clojure.pprint/pprint {:name "Ada" :address {:street "12 Long Street Name" :city "London"} :tags [:a :b]})
; clojure.pprint/print-table
(clojure.pprint/print-table [{:id 1 :name "Ada"} {:id 2 :name "Bo"}])
