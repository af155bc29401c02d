;! A1 1
(:n {"n" 1})
;! A1 1
(get {:a-b 1} "a-b" :none)
;! A1 [1 nil]
[(:a-b {"a_b" 1}) (get {:a_b 1} "a-b")]
; A string asked for finds the keyword of its text, but no other spelling; what it changes is its own key.
[(get {"a_b" 1} "a-b") (contains? {"a_b" 1} "a-b") (find {:a_b 1} "a-b") (select-keys {"a_b" 1} ["a-b"]) (get-in {"a_b" 1} ["a-b"])]
(update {:a 1} "a" (fnil inc 5))
(update {:a 1 "a" 2} "a" inc)
(update-in {:a {:b 1}} ["a" "b"] (fnil inc 5))
(assoc-in {:a {:b 1}} ["a" "b"] 2)
(assoc-in {:a-b 1} ["a_b"] 2)
(assoc-in {"a_b" 1} ["a-b"] 2)
[(dissoc {:a 1} "a") (dissoc {"a_b" 1} "a-b") (dissoc {"a" 1 :a 2} "a")]
(reduce (fn [m k] (update m k (fnil inc 0))) {} ["a-b" "a_b" "a-b" "a"])
;! A1 {"a_b" 2}
(update {"a_b" 1} :a-b inc)
;! A1 {"a_b" {"c_d" 2}}
(update-in {"a_b" {"c_d" 1}} [:a-b :c-d] inc)
;! A1 {}
(dissoc {"a_b" 1} :a-b)
;! A1 [1 1 1]
[(get {:a 1} "a") ({:a 1} "a") (get-in {:a 1} ["a"])]
;! A1 {"n" 2}
(update {"n" 1} :n inc)
;! A1 true
(contains? {"n" 1} :n)
;! A1 [:n 1]
(find {"n" 1} :n)
;! A1 {:n 1}
(select-keys {"n" 1 :m 2} [:n])
;! A1 [1 2]
(let [{:keys [a b]} {"a" 1 "b" 2}] [a b])
;! A1 [1 2]
(let [{:strs [a b]} {:a 1 :b 2}] [a b])
;! A1 5
(get-in {"a" {"b" 5}} [:a :b])
;! A1 {"a" {"b" 6}}
(update-in {"a" {"b" 5}} [:a :b] inc)
;! A1 {"a" {"b" 7}}
(assoc-in {"a" {"b" 5}} [:a :b] 7)
;! A1 {}
(dissoc {"a" 1} :a)
;! A1 1
({"n" 1} :n)
;! A1 3
(:a/b {"a/b" 3})
(assoc {"a" 1} :a 2)
(get {:a_b 1 :a-b 2} :a-b)
[(get {"a_b" 1} 'a_b) (get (sorted-map "a" 1) "b") (:a #{"a"}) (get {"a_b" 1} :a__b)]
(merge {"a" 1} {:a 2})
(= {"a" 1} {:a 1})
(case "a" :a 1 2)
;! A2 [0.3333333333333333 1.5 2]
[(/ 1 3) (/ 6 4) (/ 6 3)]
;! A2 error parse_error
1/2
;! A2 [-2.3333333333333335 0.1]
[(/ -7 3) (/ 1 10)]
;! A2 0.8333333333333333
(+ (/ 1 2) (/ 1 3))
;! A2 (0 0.5 1 1.5)
(map #(/ % 2) (range 4))
;! A3 9223372036854775808
(inc 9223372036854775807)
;! A3 [2 3]
[(* 1N 2) (bigint 3.7)]
;! A3 85070591730234615847396907784232501249
(* 9223372036854775807 9223372036854775807)
;! A3 -9223372036854775809
(dec -9223372036854775808)
;! A3 2432902008176640000
(reduce *' (range 1 21))
;! A3 51090942171709440000
(reduce * (range 1 22))
;! A3 9223372036854775808
(abs -9223372036854775808)
;! A3 9223372036854775808
(- -9223372036854775808)
;! A3 100000000000000000001
(inc 100000000000000000000)
;! A3 100000000000000000000
100000000000000000000
;! A3 [1 "2" 3]
[1N (str 2N) (+ 1N 2)]
;! A3 error parse_error
1.5M
;! A3 error parse_error
1M
;! A3 false
(instance? Integer (int 1))
;! A3 "100000000000000000000"
(format "%d" (* 10 10000000000000000000))
;! A3 [java.lang.Long clojure.lang.BigInt]
[(class 1N) (class 100000000000000000000)]
;! A3 [9223372036854775808 9223372036854775808]
[(+' 9223372036854775807 1) (inc' 9223372036854775807)]
;! A3 9223372036854775808
(quot -9223372036854775808 -1)
;! A4 "(2 3)"
(str (map inc [1 2]))
;! A4 :c
(try (map #(/ 1 %) [0]) (catch ArithmeticException _ :c))
;! A4 "(1 3)"
(str (filter odd? [1 2 3]))
;! A4 "(0 1 2)"
(apply str [(take 3 (range 5))])
;! A4 [true true]
[(realized? (map inc [1 2])) (realized? (for [x [1]] x))]
;! A4 2
(let [n (atom 0)] (map (fn [_] (swap! n inc)) [1 2]) @n)
;! A4 1
(let [n (atom 0)] (filter (fn [_] (swap! n inc)) [1]) @n)
;! A4 [3 0]
(let [a (atom 0) s (map (fn [x] (swap! a inc) x) [1 2 3]) b @a] [b (do (reset! a 0) (dorun s) @a)])
(let [n (atom 0)] (take 2 (iterate #(do (swap! n inc) (inc %)) 0)) @n)
;! A4 "(1 2)"
(str (concat [1] [2]))
;! A5 error unbound_var
(number? (rand))
;! A5 error unbound_var
(nat-int? (rand-int 5))
;! A5 error unbound_var
(shuffle [1])
;! A5 error unbound_var
(eval 1)
;! A5 error unbound_var
(deliver (promise) 1)
;! A5 error unbound_var
(ref 1)
;! A5 error unbound_var
(slurp "/etc/hostname")
;! A5 error unbound_var
(into-array [1])
;! A5 error unbound_var
(alter-var-root #'inc identity)
;! A5 error unbound_var
@(future 1)
;! A5 error unbound_var
(defmacro m [x] x)
;! A5 error unbound_var
(dosync 1)
;! A5 error unbound_var
(some? (with-out-str (time 1)))
;! A5 error parse_error
`(a ~b)
;! A5 error unsupported_java_class
(java.io.File. "x")
;! A5 error unsupported_java_member
(System/getenv "HOME")
;! A7 "#object[clojure.core/inc]"
(pr-str inc)
;! A7 "#object[user/f]"
(do (defn f [] 1) (pr-str f))
;! A7 "#object[fn]"
(pr-str (fn [] 1))
;! A7 "#object[clojure.lang.Atom {:status :ready, :val 1}]"
(pr-str (atom 1))
;! A7 "#object[clojure.lang.Delay {:status :pending, :val nil}]"
(pr-str (delay 1))
;! boxed error arithmetic_error
(/ 1.0 0.0)
;! boxed error arithmetic_error
(/ 0.0 0.0)
;! boxed error arithmetic_error
(let [x 1.0 y 0.0] (/ x y))
;! later 1
(do (defn g [] (h)) (defn h [] 1) (g))
;! limit error value_error
(take 2 (take-nth 0 [1 2]))
;! limit error value_error
(take 2 (partition 0 [1 2]))
