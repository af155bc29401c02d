; Sorting by hand.
(defn quicksort [[p & xs]]
  (if p
    (concat (quicksort (filter #(< % p) xs)) [p] (quicksort (remove #(< % p) xs)))
    []))
(quicksort [3 1 4 1 5 9 2 6 5 3 5])
;;;;
(defn merge-sorted [a b]
  (loop [a a b b out []]
    (cond
      (empty? a) (into out b)
      (empty? b) (into out a)
      (<= (first a) (first b)) (recur (rest a) b (conj out (first a)))
      :else (recur a (rest b) (conj out (first b))))))
(defn merge-sort [xs]
  (if (next xs)
    (let [[l r] (split-at (quot (count xs) 2) xs)]
      (merge-sorted (merge-sort l) (merge-sort r)))
    xs))
[(merge-sort [5 2 8 1 9 3]) (merge-sort []) (merge-sort [1])]
;;;;
(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(mapv fib (range 15))
;;;;
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
[(fib 50) (fib 80)]
;;;;
(defn sieve [n]
  (loop [xs (range 2 (inc n)) primes []]
    (if (empty? xs)
      primes
      (let [p (first xs)]
        (recur (remove #(zero? (mod % p)) (rest xs)) (conj primes p))))))
(sieve 50)
;;;;
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
(defn lcm [a b] (/ (* a b) (gcd a b)))
[(gcd 48 18) (lcm 4 6) (reduce lcm (range 1 11))]
;;;;
(defn collatz [n]
  (take-while some?
    (iterate #(cond (nil? %) nil (= 1 %) nil (even? %) (quot % 2) :else (inc (* 3 %))) n)))
[(collatz 6) (count (collatz 27))]
;;;;
(defn permutations [xs]
  (if (empty? xs)
    '(())
    (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(permutations [1 2 3])
;;;;
(defn powerset [xs]
  (reduce (fn [acc x] (into acc (map #(conj % x) acc))) #{#{}} xs))
[(count (powerset (range 4))) (powerset [1 2])]
;;;;
(defn queens [n]
  (letfn [(safe? [qs c]
            (every? true? (map-indexed (fn [i q] (and (not= q c) (not= (inc i) (abs (- q c))))) qs)))
          (place [k]
            (if (zero? k)
              [()]
              (for [qs (place (dec k)) c (range n) :when (safe? qs c)] (cons c qs))))]
    (place n)))
[(count (queens 6)) (first (queens 6))]
;;;;
(defn bfs [graph start]
  (loop [queue [start] seen #{start} order []]
    (if-let [[n & more] (seq queue)]
      (let [ns (remove seen (graph n))]
        (recur (into (vec more) ns) (into seen ns) (conj order n)))
      order)))
(bfs {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f] :f []} :a)
;;;;
(defn dfs
  ([g n] (dfs g n #{}))
  ([g n seen]
   (if (seen n)
     seen
     (reduce (fn [s m] (dfs g m s)) (conj seen n) (g n)))))
(sort (dfs {1 [2 3] 2 [4] 3 [4] 4 [1] 5 [6]} 1))
;;;;
(defn dijkstra [g start]
  (loop [dist {start 0} todo #{start}]
    (if (empty? todo)
      dist
      (let [n (apply min-key dist (sort todo))
            better (into {} (for [[m w] (g n) :let [d (+ w (dist n))] :when (< d (get dist m ##Inf))] [m d]))]
        (recur (merge dist better) (into (disj todo n) (keys better)))))))
(into (sorted-map) (dijkstra {:a {:b 7 :c 3} :b {:d 2} :c {:b 1 :d 8} :d {}} :a))
;;;;
(defn topo [deps]
  (loop [deps deps out []]
    (if (empty? deps)
      out
      (let [free (sort (for [[k v] deps :when (empty? v)] k))]
        (if (empty? free)
          (throw (ex-info "cycle" {:left (set (keys deps))}))
          (recur (into {} (for [[k v] deps :when (not ((set free) k))] [k (remove (set free) v)]))
                 (into out free)))))))
[(topo {:a [] :b [:a] :c [:a :b] :d [:b]})
 (try (topo {:a [:b] :b [:a]}) (catch Exception e [(ex-message e) (ex-data e)]))]
;;;;
(defn hanoi [n a b c]
  (if (zero? n) [] (concat (hanoi (dec n) a c b) [[a c]] (hanoi (dec n) b a c))))
[(count (hanoi 5 :a :b :c)) (hanoi 2 :a :b :c)]
;;;;
(defn binary-search [v x]
  (loop [lo 0 hi (dec (count v))]
    (when (<= lo hi)
      (let [mid (quot (+ lo hi) 2) y (nth v mid)]
        (cond (= x y) mid (< y x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
(map #(binary-search [1 3 5 7 9 11] %) [1 7 11 4])
;;;;
(defn roman [n]
  (loop [n n out "" [[v s] & more :as all] [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]]]
    (cond (zero? n) out (>= n v) (recur (- n v) (str out s) all) :else (recur n out more))))
(map roman [1 4 9 14 40 90 400 1994 2024])
;;;;
(defn transpose [m] (apply mapv vector m))
(defn matmul [a b] (let [bt (transpose b)] (mapv (fn [row] (mapv #(reduce + (map * row %)) bt)) a)))
[(transpose [[1 2 3] [4 5 6]]) (matmul [[1 2] [3 4]] [[5 6] [7 8]])]
;;;;
(defn life [cells]
  (set (for [[c n] (frequencies (mapcat (fn [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)])) cells))
             :when (or (= n 3) (and (= n 2) (cells c)))] c)))
(map sort (take 3 (iterate life #{[1 0] [1 1] [1 2]})))
;;;;
(defn pascal [n] (take n (iterate #(vec (concat [1] (map + % (rest %)) [1])) [1])))
(pascal 6)
;;;;
(defn to-base [n b] (if (< n b) (str n) (str (to-base (quot n b) b) (rem n b))))
[(to-base 255 2) (to-base 255 8) (map #(to-base % 3) (range 5))]
;;;;
(defn luhn? [s]
  (->> (str/replace s #"\D" "") reverse
       (map-indexed (fn [i c] (let [d (- (int c) 48)] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d))))
       (reduce +) (#(zero? (mod % 10)))))
[(luhn? "4539 1488 0343 6467") (luhn? "8273 1232 7352 0569")]
;;;;
(defn levenshtein [a b]
  (last (reduce (fn [row [i ca]]
                  (reduce (fn [new [j cb]]
                            (conj new (min (inc (peek new)) (inc (nth row (inc j))) (+ (nth row j) (if (= ca cb) 0 1)))))
                          [(inc i)] (map-indexed vector b)))
                (vec (range (inc (count b)))) (map-indexed vector a))))
[(levenshtein "kitten" "sitting") (levenshtein "" "abc") (levenshtein "flaw" "lawn")]
;;;;
(defn pow-mod [b e m] (loop [b (mod b m) e e r 1] (if (zero? e) r (recur (mod (* b b) m) (quot e 2) (if (odd? e) (mod (* r b) m) r)))))
(map #(pow-mod 3 % 1000007) [0 1 10 1000 123456])
;;;;
(defn balanced? [s]
  (let [pairs {\) \( \] \[ \} \{}]
    (empty? (reduce (fn [st c]
                      (cond (#{\( \[ \{} c) (conj st c)
                            (pairs c) (if (= (peek st) (pairs c)) (pop st) (reduced [:bad]))
                            :else st))
                    [] s))))
(map balanced? ["(a[b]{c})" "(]" "((" "" ")"])
;;;;
(defn rpn [s]
  (let [ops {"+" + "-" - "*" * "/" quot}]
    (peek (reduce (fn [st t] (if-let [f (ops t)]
                               (let [b (peek st) a (peek (pop st))] (conj (pop (pop st)) (f a b)))
                               (conj st (parse-long t))))
                  [] (str/split s #"\s+")))))
[(rpn "3 4 + 2 *") (rpn "5 1 2 + 4 * + 3 -")]
;;;;
(defn calc [expr]
  (letfn [(tokens [s] (re-seq #"\d+|[-+*/()]" s))
          (factor [[t & ts]] (if (= t "(") (let [[v ts] (sum ts)] [v (rest ts)]) [(parse-long t) ts]))
          (term [ts] (loop [[v ts] (factor ts)]
                       (case (first ts)
                         "*" (let [[w more] (factor (rest ts))] (recur [(* v w) more]))
                         "/" (let [[w more] (factor (rest ts))] (recur [(quot v w) more]))
                         [v ts])))
          (sum [ts] (loop [[v ts] (term ts)]
                      (case (first ts)
                        "+" (let [[w more] (term (rest ts))] (recur [(+ v w) more]))
                        "-" (let [[w more] (term (rest ts))] (recur [(- v w) more]))
                        [v ts])))]
    (first (sum (tokens expr)))))
(map calc ["1+2*3" "(1+2)*3" "10-4-3" "2*(3+4)*5" "100/7/2"])
;;;;
(defn rle [s] (map (fn [g] [(first g) (count g)]) (partition-by identity s)))
(defn unrle [ps] (apply str (mapcat (fn [[c n]] (repeat n c)) ps)))
[(rle "aaabccd") (unrle (rle "aaabccd"))]
;;;;
(defn caesar [n s] (apply str (map #(cond (Character/isUpperCase %) (char (+ 65 (mod (+ n (- (int %) 65)) 26))) (Character/isLowerCase %) (char (+ 97 (mod (+ n (- (int %) 97)) 26))) :else %) s)))
[(caesar 3 "Hello, World!") (caesar -3 (caesar 3 "Hello, World!"))]
;;;;
(defn knapsack [items cap]
  (let [step (fn [best [v w]] (reduce (fn [b c] (if (>= c w) (assoc b c (max (best c) (+ v (best (- c w))))) b)) best (range (inc cap))))]
    (peek (reduce step (vec (repeat (inc cap) 0)) items))))
(knapsack [[60 10] [100 20] [120 30]] 50)
;;;;
(defn change [amount coins]
  (cond (zero? amount) 1 (or (neg? amount) (empty? coins)) 0
        :else (+ (change (- amount (first coins)) coins) (change amount (rest coins)))))
[(change 10 [1 2 5]) (change 100 [50 25 10 5 1])]
;;;;
(defn fizzbuzz [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 3)) "Fizz" (zero? (mod n 5)) "Buzz" :else n))
(doseq [x (map fizzbuzz (range 1 16))] (println x))
;;;;
(defn spiral [m] (when (seq m) (concat (first m) (when-let [more (next m)] (spiral (reverse (apply map vector more)))))))
(spiral [[1 2 3] [4 5 6] [7 8 9]])
;;;;
(let [words ["apple" "bob" "cat" "apple" "bob" "apple"]]
  (->> words frequencies (sort-by (juxt (comp - val) key)) (map (fn [[w n]] (str w ":" n))) (str/join " ")))
;;;;
(defn tree-insert [t x] (cond (nil? t) {:v x} (< x (:v t)) (update t :l tree-insert x) :else (update t :r tree-insert x)))
(defn in-order [t] (when t (concat (in-order (:l t)) [(:v t)] (in-order (:r t)))))
(let [t (reduce tree-insert nil [5 2 8 1 9 3])] [(in-order t) t])
