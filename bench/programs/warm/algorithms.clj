;;;; primes up to n
(defn primes [n]
  (loop [candidates (range 2 (inc n)) found []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates)) (conj found p))
      found)))
(primes 60)
;;;; breadth first search
(def graph {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f] :f []})
(defn shortest-path [graph start goal]
  (loop [queue [[start]] seen #{start}]
    (when-let [path (first queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [next-nodes (remove seen (graph node))]
            (recur (into (subvec queue 1) (map #(conj path %)) next-nodes)
                   (into seen next-nodes))))))))
[(shortest-path graph :a :f) (shortest-path graph :f :a)]
;;;; binary search
(defn binary-search [v target]
  (loop [lo 0 hi (dec (count v))]
    (if (> lo hi)
      -1
      (let [mid (quot (+ lo hi) 2)
            x (nth v mid)]
        (cond
          (= x target) mid
          (< x target) (recur (inc mid) hi)
          :else (recur lo (dec mid)))))))
(let [v (vec (range 0 100 3))]
  (map #(binary-search v %) [0 9 50 99 51]))
;;;; balanced brackets
(defn balanced? [s]
  (let [pairs {\) \( \] \[ \} \{}
        opening (set (vals pairs))]
    (loop [[c & more] (seq s) stack []]
      (cond
        (nil? c) (empty? stack)
        (opening c) (recur more (conj stack c))
        (contains? pairs c) (if (= (peek stack) (pairs c)) (recur more (pop stack)) false)
        :else (recur more stack)))))
(mapv balanced? ["(a [b] {c})" "(]" "((" "" "x)"])
;;;; fizzbuzz
(for [n (range 1 16)]
  (cond
    (zero? (mod n 15)) "FizzBuzz"
    (zero? (mod n 5)) "Buzz"
    (zero? (mod n 3)) "Fizz"
    :else n))
;;;; roman numerals
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n]
  (loop [n n [[value sign] & others :as all] numerals out ""]
    (cond
      (zero? n) out
      (>= n value) (recur (- n value) all (str out sign))
      :else (recur n others out))))
(map roman [1 4 9 14 40 90 400 1994 2024])
;;;; knapsack
(defn best-value [capacity items]
  (let [solve (fn solve [i room]
                (if (= i (count items))
                  0
                  (let [{:keys [weight value]} (nth items i)
                        skip (solve (inc i) room)]
                    (if (> weight room)
                      skip
                      (max skip (+ value (solve (inc i) (- room weight))))))))]
    (solve 0 capacity)))
(best-value 10 [{:weight 5 :value 10} {:weight 4 :value 40} {:weight 6 :value 30} {:weight 3 :value 50}])
;;;; matrix product
(defn transpose [m] (apply mapv vector m))
(defn product [a b]
  (let [columns (transpose b)]
    (mapv (fn [row]
            (mapv (fn [column] (reduce + (map * row column))) columns))
          a)))
[(product [[1 2] [3 4]] [[5 6] [7 8]]) (transpose [[1 2 3] [4 5 6]])]
;;;; permutations
(defn permutations [xs]
  (if (empty? xs)
    [[]]
    (for [x xs
          more (permutations (remove #{x} xs))]
      (cons x more))))
(let [all (permutations [1 2 3])]
  {:count (count all) :all all :sums (distinct (map #(reduce + %) all))})
;;;; coin change
(defn change [coins amount]
  (loop [table {0 []} n 1]
    (if (> n amount)
      (get table amount)
      (let [options (for [c coins
                          :let [before (get table (- n c))]
                          :when before]
                      (conj before c))]
        (recur (if (seq options) (assoc table n (apply min-key count options)) table) (inc n))))))
{:eleven (change [1 5 6 9] 11) :none (change [5 10] 3)}
