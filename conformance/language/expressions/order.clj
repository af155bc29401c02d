#{:a :b :c :d :e}
#{1 2 3 4 5 6 7 8 9 10}
#{"a" "b" "c" "d"}
#{'x 'y 'z}
#{\a \b \c}
#{1.5 2.5 3.5}
#{nil true false}
#{[1] [2] [3]}
#{{:a 1} {:b 2}}
#{#{1} #{2} #{}}
#{-1 -2 -3 0}
#{1 1.0 "1" :1 \1}
#{100000000000 200000000000 -100000000000}
#{:apple :banana :cherry :date :elderberry :fig :grape}
#{"apple" "banana" "cherry" "date" "elderberry" "fig" "grape"}
(set (range 100))
(set (map #(* % 32) (range 10)))
(set (map #(* % 1000003) (range 20)))
(set (map str (range 30)))
(set (map keyword (map str "abcdefghijklmnopqrstuvwxyz")))
(set "the quick brown fox jumps over the lazy dog")
(set (map #(/ % 4.0) (range 10)))
{:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8}
{:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8 :i 9}
{:h 1 :g 2 :f 3 :e 4 :d 5 :c 6 :b 7 :a 8}
{1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9}
{"z" 1 "y" 2 "x" 3 "w" 4 "v" 5 "u" 6 "t" 7 "s" 8 "r" 9 "q" 10}
(assoc {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7} :h 8)
(assoc {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8} :a 9)
(into {} (map (fn [i] [i i]) (range 8)))
(into {} (map (fn [i] [i i]) (range 9)))
(zipmap (range 8) (range 8))
(zipmap (range 9) (range 9))
(zipmap (map str (range 12)) (range 12))
(apply array-map (mapcat (fn [i] [i i]) (range 12)))
(assoc (apply array-map (range 20)) :z 1)
(dissoc (zipmap (range 12) (range 12)) 3 4 5 6 7)
(dissoc {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8 :i 9} :i)
(conj (dissoc (zipmap (range 9) (range 9)) 0) [100 1])
(merge {:a 1 :b 2 :c 3 :d 4} {:e 5 :f 6 :g 7 :h 8 :i 9})
(merge {:z 1} (zipmap [:a :b :c] (range)))
(merge (hash-map :a 1 :b 2) {:c 3})
(merge-with + {:a 1 :b 2} {:c 1 :a 5})
(select-keys (zipmap (range 20) (range 20)) (range 10 2 -1))
(group-by #(mod % 10) (range 20))
(frequencies "the quick brown fox jumps over the lazy dog")
(frequencies (map #(mod % 12) (range 30)))
(update-vals (zipmap (range 9) (range 9)) str)
(update-keys (zipmap (range 9) (range 9)) str)
(update-keys {:c 1 :b 2 :a 3} name)
(into #{} [:c :b :a])
(into (hash-map) {:b 1 :a 2})
(into (hash-map :z 0) {:b 1 :a 2})
(hash-map 1 2 3 4 5 6)
(hash-map :a 1 :b 2 :c 3 :d 4 :e 5)
(keys {:z 1 :y 2 :x 3})
(vals (zipmap (range 10) "abcdefghij"))
(seq #{5 3 9})
(map identity {:b 1 :a 2})
(reduce (fn [acc [k v]] (str acc k v)) "" {:b 1 :a 2 :c 3})
(first #{:x :y :z})
(disj (set (range 10)) 5)
(conj #{} 3 1 2)
(clojure.set/union #{1 2} #{3 4 5})
(clojure.set/map-invert {:a 1 :b 2})
(assoc nil :b 1 :a 2)
(conj {} [:b 1] [:a 2])
(reduce conj {} [[:c 1] [:b 2] [:a 3]])
(reduce conj {} (map vector "ihgfedcba" (range)))
(array-map :c 1 :b 2 :a 3)
(into (empty (zipmap (range 9) (range 9))) {:b 1 :a 2})
(into (empty {:a 1}) {:b 1 :a 2})
[(class (zipmap (range 8) (range 8))) (class (zipmap (range 9) (range 9))) (class (dissoc (zipmap (range 9) (range 9)) 0)) (class (apply array-map (range 40))) (class (hash-map))]
#{"Aa" "BB"}
#{"BB" "Aa"}
(hash-map "Aa" 1 "BB" 2)
(hash-map "BB" 1 "Aa" 2)
#{"AaAa" "BBBB" "AaBB" "BBAa"}
(into #{} ["AaAa" "BBBB" "AaBB" "BBAa" "C"])
(disj #{"AaAa" "BBBB" "AaBB" "BBAa"} "BBBB")
(assoc (hash-map "Aa" 1 "BB" 2) "Aa" 3)
(dissoc (hash-map "Aa" 1 "BB" 2 "C" 3) "BB")
(into {} (map (juxt identity count) ["AaAa" "BBBB" "AaBB" "BBAa" "a" "b" "c" "d" "e"]))
#{0 0.0 -0.0}
(set [1 2147483648 4294967296 -1])
(set (map #(bit-shift-left 1 %) (range 0 60 5)))
(set [0 32 64 96 1024 1056])
#{nil :nil "nil" 'nil?}
(zipmap [nil 1 :a "b" \c 'd 2.5 true [1]] (range))
#{[] {} #{}}
(set [[1 2] #{1 2} {1 2} '(3) "12"])
(pr-str (set (map vector (range 5) (range 5))))
(let [s (into #{} (range 40))] (reduce disj s (range 0 40 3)))
(let [m (into {} (map (juxt identity -) (range 40)))] (reduce dissoc m (range 0 40 2)))
(sorted-map :c 1 :a 2 :b 3)
(sorted-set "banana" "apple" "Cherry")
(into (sorted-map) (zipmap (range 12) (range 12)))
(rest (sorted-set 3 1 2))
(map first (sorted-map "b" 1 "a" 2))
(read-string "{:c 1 :b 2 :a 3}")
(read-string "#{:c :b :a}")
(read-string "{1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9}")
'{:c 1 :b 2 :a 3}
'#{:c :b :a}
'{1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9}
(clojure.walk/postwalk identity {:c 1 :b 2 :a 3})
(clojure.walk/keywordize-keys {"c" 1 "b" 2 "a" 3})
(clojure.walk/postwalk identity (hash-map :c 1 :b 2 :a 3))
(clojure.set/index #{{:a 1 :b 2} {:a 1 :b 3}} [:a])
((fn [& {:as m}] m) :c 1 :b 2 :a 3)
((fn [& {:as m}] m) :i 1 :h 2 :g 3 :f 4 :e 5 :d 6 :c 7 :b 8 :a 9 :z 10)
(#inst "2020" #inst "2021")
#{#inst "2020" #inst "2021" #inst "2022"}
(set (map parse-uuid ["1-0-0-0-1" "2-0-0-0-2" "3-0-0-0-3"]))
