;;;; quicksort
(defn quicksort [[pivot & others]]
  (when pivot
    (let [smaller (filter #(< % pivot) others)
          larger (remove #(< % pivot) others)]
      (concat (quicksort smaller) [pivot] (quicksort larger)))))
(vec (quicksort [33 4 15 8 42 16 23 4]))
;;;; fibonacci memo
(def fib
  (memoize (fn [n]
             (if (< n 2)
               n
               (+ (fib (- n 1)) (fib (- n 2)))))))
{:some (map fib (range 12)) :big (fib 80) :even (count (filter even? (map fib (range 30))))}
;;;; dijkstra
(def roads {:a {:b 7 :c 9 :f 14} :b {:c 10 :d 15} :c {:d 11 :f 2} :d {:e 6} :f {:e 9} :e {}})
(defn distances [graph start]
  (loop [todo {start 0} done {}]
    (if (empty? todo)
      done
      (let [[node d] (apply min-key val todo)
            reachable (for [[n w] (graph node) :when (not (contains? done n))] [n (+ d w)])]
        (recur (reduce (fn [m [n nd]] (update m n (fnil min nd) nd)) (dissoc todo node) reachable)
               (assoc done node d))))))
(into (sorted-map) (distances roads :a))
;;;; greatest common divisor
(defn gcd [a b]
  (if (zero? b) a (recur b (rem a b))))
(defn lcm [a b] (/ (* a b) (gcd a b)))
{:gcd (reduce gcd [84 126 210]) :lcm (reduce lcm (range 1 11)) :coprime (filter #(= 1 (gcd 12 %)) (range 1 12))}
;;;; n queens
(defn safe? [queens column]
  (every? (fn [[row c]]
            (let [distance (- (count queens) row)]
              (and (not= c column) (not= (Math/abs (- c column)) distance))))
          (map-indexed vector queens)))
(defn place [n queens]
  (if (= n (count queens))
    [queens]
    (mapcat #(place n (conj queens %))
            (filter #(safe? queens %) (range n)))))
(let [solutions (place 6 [])]
  [(count solutions) (first solutions)])
;;;; merge intervals
(defn merge-intervals [intervals]
  (reduce (fn [merged [start end :as interval]]
            (let [[last-start last-end] (peek merged)]
              (if (and last-end (<= start last-end))
                (conj (pop merged) [last-start (max last-end end)])
                (conj merged interval))))
          []
          (sort intervals)))
(merge-intervals [[8 10] [1 3] [2 6] [15 18] [17 20] [9 9]])
;;;; pascal triangle
(->> (iterate (fn [row] (vec (concat [1] (map + row (rest row)) [1]))) [1])
     (take 7)
     (map (fn [row] (clojure.string/join " " row)))
     (clojure.string/join "\n"))
;;;; two sum
(defn two-sum [numbers target]
  (loop [i 0 seen {}]
    (when (< i (count numbers))
      (let [x (nth numbers i)]
        (if-let [j (seen (- target x))]
          [j i]
          (recur (inc i) (assoc seen x i)))))))
[(two-sum [2 7 11 15] 9) (two-sum [3 2 4] 6) (two-sum [1 2] 100)]
;;;; flood fill
(def picture ["..##" ".#.." "##.." "...."])
(defn fill [grid start]
  (let [rows (count grid) cols (count (first grid))
        open? (fn [[r c]] (and (< -1 r rows) (< -1 c cols) (= \. (get-in grid [r c]))))]
    (loop [[p & more] [start] seen #{}]
      (cond
        (nil? p) seen
        (or (seen p) (not (open? p))) (recur more seen)
        :else (let [[r c] p]
                (recur (concat more [[(inc r) c] [(dec r) c] [r (inc c)] [r (dec c)]])
                       (conj seen p)))))))
{:left (sort (fill picture [0 0])) :right (count (fill picture [3 3])) :wall (count (fill picture [0 2]))}
;;;; collatz
(defn collatz [n]
  (take-while #(not= 1 %) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n)))
(let [lengths (map (juxt identity (comp count collatz)) (range 1 20))
      [n steps] (apply max-key second lengths)]
  {:longest n :steps steps :peak (apply max (collatz n))})
