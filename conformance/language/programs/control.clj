(defn risky [x] (when (neg? x) (throw (ex-info "negative" {:x x}))) (/ 10 x))
(defn safe [x] (try (risky x) (catch clojure.lang.ExceptionInfo e [:info (ex-data e)]) (catch ArithmeticException e [:arith (ex-message e)]) (finally (print "."))))
(mapv safe [5 0 -1])
;;;;
(defn retry [n f] (loop [i 1] (let [r (try [:ok (f i)] (catch Exception e (if (= i n) [:failed (ex-message e)] ::again)))] (if (= r ::again) (recur (inc i)) (conj r i)))))
[(retry 3 (fn [i] (if (< i 3) (throw (Exception. "no")) :yes))) (retry 2 (fn [_] (throw (Exception. "never"))))]
;;;;
(try
  (try (throw (ex-info "inner" {:level 1}))
       (catch Exception e (throw (ex-info "outer" {:level 2} e))))
  (catch Exception e
    [(ex-message e) (ex-data e) (ex-message (ex-cause e)) (ex-data (ex-cause e))]))
;;;;
(def trace (atom []))
(defn note [x] (swap! trace conj x) x)
(try
  (note :start)
  (try (note :a) (throw (Exception. "x")) (note :never) (finally (note :f1)))
  (catch Exception e (note (ex-message e)))
  (finally (note :f2)))
@trace
;;;;
(defmulti area :shape)
(defmethod area :circle [{:keys [r]}] (* 3 r r))
(defmethod area :square [{:keys [s]}] (* s s))
(defmethod area :default [s] (throw (ex-info "unknown shape" s)))
[(area {:shape :circle :r 2}) (area {:shape :square :s 3}) (try (area {:shape :blob}) (catch Exception e (ex-data e)))]
;;;;
(derive ::rect ::shape)
(derive ::square ::rect)
(defmulti describe-it (fn [x & _] (:kind x)))
(defmethod describe-it ::shape [_] "a shape")
(defmethod describe-it ::rect [_] "a rectangle")
(map describe-it [{:kind ::square} {:kind ::rect} {:kind ::shape}])
;;;;
(defmulti encounter (fn [a b] [(:species a) (:species b)]))
(derive ::lion ::cat)
(defmethod encounter [::cat ::cat] [_ _] :fight)
(defmethod encounter [::lion ::bunny] [_ _] :eat)
(defmethod encounter :default [a b] [:ignore (:name a) (:name b)])
[(encounter {:species ::lion} {:species ::lion}) (encounter {:species ::lion} {:species ::bunny}) (encounter {:species ::bunny :name "b"} {:species ::lion :name "l"})]
;;;;
(defmulti fmt class)
(defmethod fmt Number [x] (str "n" x))
(defmethod fmt String [x] (str "s" x))
(defmethod fmt nil [_] "nil")
(defmethod fmt clojure.lang.Keyword [x] (name x))
(defmethod fmt java.util.List [x] (str "[" (str/join "," (map fmt x)) "]"))
(fmt [1 2.5 "a" nil :k '(1 (2))])
;;;;
(defn classify [x]
  (cond (nil? x) :nil (string? x) :string (keyword? x) :keyword (integer? x) (if (even? x) :even :odd) (map? x) :map (sequential? x) :seq (fn? x) :fn :else :other))
(map classify [nil "a" :b 1 2 {} [] '() inc 1.5 #{}])
;;;;
(defn grade [n] (condp <= n 90 :a 80 :b 70 :c :f))
(map grade [95 90 85 72 10])
;;;;
(defn op [k] (case k (:add :plus) + :sub - "mul" * \d / 1 inc nil (constantly 0) [1 2] vector (fn [& xs] [:unknown k xs])))
(map #((op %) 6 3) [:add :plus :sub "mul" \d [1 2] :zzz])
;;;;
(loop [i 0 acc []]
  (if (= i 5)
    acc
    (recur (inc i) (cond-> acc (even? i) (conj i) (> i 3) (conj :big)))))
;;;;
(defn ping [n] (if (zero? n) :done #(ping (dec n))))
(trampoline ping 5000)
;;;;
(letfn [(ev [n] (if (zero? n) true (od (dec n)))) (od [n] (if (zero? n) false (ev (dec n))))]
  [(ev 100) (od 100) (ev 7)])
;;;;
(defn sum-to [n] (loop [i n acc 0] (if (zero? i) acc (recur (dec i) (+ acc i)))))
(sum-to 100000)
;;;;
(defn depth [n] (if (zero? n) 0 (inc (depth (dec n)))))
(depth 2000)
;;;;
(let [x 10 y (let [x 20] (+ x 1)) f (fn [x] (* x y)) x (f 2)] [x y (f x)])
;;;;
(def x 1)
(defn get-x [] x)
(def a (get-x))
(def x 2)
[a (get-x) x]
;;;;
(defn f [x] :old)
(def g f)
(defn h [x] (f x))
(defn f [x] :new)
[(g 1) (h 1) (f 1)]
;;;;
(defn varargs ([] :none) ([a] [:one a]) ([a b] [:two a b]) ([a b & more] [:many a b more]))
[(varargs) (varargs 1) (varargs 1 2) (varargs 1 2 3) (apply varargs (range 5))]
;;;;
(defn opts [x & {:keys [a b] :or {a 10} :as m}] [x a b m])
[(opts 1) (opts 1 :b 2) (opts 1 {:a 5}) (opts 1 :a 1 {:b 3})]
;;;;
(defn checked [x] {:pre [(number? x) (pos? x)] :post [(> % x)]} (* x x))
[(checked 3) (try (checked -1) (catch AssertionError e (ex-message e))) (try (checked 1) (catch AssertionError e (ex-message e)))]
;;;;
(doseq [i (range 3) j (range 3) :when (< i j)] (print [i j] ""))
;;;;
(dotimes [i 3]
  (dotimes [j i] (print "*"))
  (newline))
;;;;
(let [a (atom 10)]
  (while (> @a 0)
    (print @a "")
    (swap! a - 3))
  @a)
;;;;
(->> (range 1 11) (filter even?) (map #(* % %)) (reduce +) (str "sum: "))
;;;;
(-> {:a 1} (assoc :b 2) (update :a inc) (dissoc :b) (merge {:c 3}) vec)
;;;;
(as-> [1 2 3] $ (map inc $) (filter odd? $) (conj (vec $) :end) (count $))
;;;;
(some-> {:a {:b {:c 5}}} :a :b :c inc (* 2))
;;;;
(let [m {:a nil}] [(if-let [x (:a m)] x :none) (if-some [x (:a m)] x :none) (when-let [[x] (seq [])] x) (when-first [x [nil 1]] [:got x])])
;;;;
(for [x (range 1 4) :let [sq (* x x)] y (range x) :when (odd? (+ sq y)) :while (< y 3)] {:x x :y y :sq sq})
;;;;
(def ones (lazy-seq (cons 1 ones)))
(def nat (lazy-seq (cons 0 (map inc nat))))
[(take 3 ones) (take 5 nat)]
;;;;
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs))))
(take 12 fibs)
;;;;
(defn my-map [f s] (lazy-seq (when-let [[x & xs] (seq s)] (cons (f x) (my-map f xs)))))
[(my-map inc [1 2 3]) (take 2 (my-map inc (range))) (my-map inc nil)]
;;;;
(let [n (atom 0) s (map (fn [x] (swap! n inc) x) (iterate inc 0))]
  [(first s) @n (doall (take 3 s)) @n (first s) @n])
;;;;
(let [d (delay (println "computing") 42)] (println "before") [@d @d (realized? d)])
;;;;
;! A4 5
(def log (atom []))
(defn logged [f] (fn [& args] (let [r (apply f args)] (swap! log conj [args r]) r)))
(let [add (logged +)] (add 1 2) (add) (map add [1 2] [3 4]) (mapv add [1] [2]))
(count @log)
;;;;
; Everything in one string of forms.
(def a 1) (def b (inc a)) #_(def c :never) (comment (def d 1))
[a b]
;;;;
(defn tree->str [t] (with-out-str ((fn walk [t d] (println (str (apply str (repeat d "  ")) (:n t))) (doseq [k (:kids t)] (walk k (inc d)))) t 0)))
(tree->str {:n "root" :kids [{:n "a" :kids [{:n "b"}]} {:n "c"}]})
;;;;
(let [f (fn fact [n] (if (<= n 1) 1 (* n (fact (dec n)))))] (mapv f [0 1 5 10 15]))
;;;;
(def y-comb (fn [f] ((fn [x] (x x)) (fn [x] (f (fn [& a] (apply (x x) a)))))))
((y-comb (fn [self] (fn [n] (if (zero? n) 1 (* n (self (dec n))))))) 6)
;;;;
(let [{[a {:keys [b]}] :x, :strs [s], :syms [t], :or {t 7}} {:x [1 {:b 2}] "s" 3}] [a b s t])
;;;;
(throw (ex-info "top" {:code 7}))
;;;;
(println "before")
(/ 1 0)
;;;;
(println "a")
(undefined-function 1)
;;;;
(def v [1 2 3])
(v 10)
;;;;
;! extension 2
(defn f [x] (g x))
(defn g [x] (inc x))
(f 1)
