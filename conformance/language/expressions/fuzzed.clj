; Found by the fuzzer, kept so that they stay found.
(drop-last 5 [3 1 2])
(drop-last 4 [3 1 2])
(drop-last 3 (butlast #{1 2 3}))
(drop-last 3 (partition 2 [3 1 2]))
(set (sorted-set 2 99))
(class (set (sorted-set 2 99)))
(list? (take-while odd? nil))
(list? (filter even? nil))
(list? (take 0 nil))
(list? (map + nil #{1 2 3}))
(list? (for [y nil :when (even? y)] y))
(list? (keep-indexed (fn [i v] i) nil))
(list? (interleave nil nil))
(list? (drop-last 0 []))
(counted? (partition-by even? nil))
(counted? (partition 2 nil))
(counted? (partition-all 3 nil))
(counted? (map vector nil [1 :a "x"]))
(mapv list? [(rest nil) (rest [1]) (rest '(1)) (concat) (sort []) (reverse nil) (distinct []) (flatten [])])
[(list? (dedupe nil)) (list? (dedupe [1])) (list? (sequence (drop 1) nil)) (list? (sequence (map inc) [1])) (list? (sequence []))]
[(list? (list* 0 [])) (list? (list* 0 nil)) (list? (list* [1 2])) (list* []) (list* 1 2 [3])]
(mapv list? [(conj (take-while zero? (iterate inc 1)) 0) (conj (map inc []) 0) (conj (map inc [1]) 0) (conj (take 1 (iterate inc 1)) 0)])
[(take 3 (conj (iterate inc 1) 0)) (conj (take 0 (iterate inc 1)) 1 2)]
(mapv list? [(take-last 2 '(1 2 3)) (take-last 9 '(1 2 3)) (take-last 2 [1 2 3]) (take-last 2 (map inc [1 2 3]))])
(mapv counted? [(take-last 2 '(1 2 3)) (butlast '(1 2 3)) (butlast [1 2 3]) (butlast (map inc [1 2 3]))])
(mapv list? [(rest (butlast [1 2])) (rest (butlast '(1 2))) (butlast '(1 2 3))])
[(take-last 0 '(1 2)) (take-last 1 '()) (take-last -1 '(1)) (take-last 1 '(1 2)) (take-last 1.5 '(1 2 3))]
(meta (take-last 5 ^{:a 1} (list 1 2)))
(mapv list? [(rest (take-nth 2 [])) (rest (remove pos? nil)) (rest (map inc [])) (rest (lazy-seq nil)) (rest (rest (map inc [1])))])
[(first (rest (map inc []))) (next (map inc [])) (rest (map inc [])) (empty? (rest (filter odd? [])))]
