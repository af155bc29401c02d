; One plain example of each form and function that Clojure, or its release 1.11, has not; evaluated when
; the page is made.

; ns
(do (ns notes (:require [clojure.string :as str])) (str/trim " kept "))
; return
(do (return {:answer 42}) :never)
; fail
(fail {:reason "no data"})
; program
(program (inc 1))
; doc
(doc inc)
; source
(source inc)
; dir
(dir clojure.walk)
; apropos
(apropos "index-of")
; export-meta
(export-meta "no.such/export")
; components
(components)
; component
(component "no.such")
; splitv-at
(splitv-at 2 [1 2 3 4])
; partitionv
(partitionv 2 [1 2 3 4])
; partitionv-all
(partitionv-all 2 [1 2 3])
; regex?
(regex? #"a+")
; re-split
(re-split #",\s*" "a, b,c")
; extract
(extract #"order (\d+)" "see order 17" 1)
; extract-int
(extract-int #"order (\d+)" "see order 17" 1)
; json/parse-string
(json/parse-string "{\"a\": [1, null]}")
; json/read-str
(json/read-str "{\"a\": 1}" :key-fn keyword)
; json/parse-lines
(json/parse-lines "{\"n\": 1}\n{\"n\": 2}")
; json/generate-string
(json/generate-string {:a [1 nil]})
; json/write-str
(json/write-str {:b true})
; floor
(floor 2.7)
; ceil
(ceil 2.1)
; round
(round 2.5)
; trunc
(trunc -2.7)
; sqrt
(sqrt 16)
; pow
(pow 2 10)
; parse-int
(mapv parse-int ["12" "x"])
; upcase
(upcase "loud")
; downcase
(downcase "QUIET")
; sum
(sum [1 2 3])
; avg
(avg [1 2 6])
; sum-by
(sum-by :price [{:price 2} {:price 5}])
; avg-by
(avg-by :price [{:price 2} {:price 5}])
; max-by
(max-by :price [{:price 2} {:price 5}])
; min-by
(min-by :price [{:price 2} {:price 5}])
; distinct-by
(distinct-by :id [{:id 1 :n "a"} {:id 1 :n "b"} {:id 2 :n "c"}])
; entries
(entries {:a 1 :b 2})
; combinations
(combinations [1 2 3] 2)
; zip
(zip [1 2] [:a :b])
; describe
(describe [1 2 "three"])
