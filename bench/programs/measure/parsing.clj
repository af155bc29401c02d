;;;; recursive descent calculator
(defn lex [s] (re-seq #"\d+|[-+*/()]" s))
(declare expression)
(defn atom-expr [[t & more]]
  (if (= t "(")
    (let [[v [_ & after]] (expression more)] [v after])
    [(parse-long t) more]))
(defn chain [operand ops tokens]
  (loop [[value [op & more :as left]] (operand tokens)]
    (if-let [f (ops op)]
      (let [[right after] (operand more)]
        (recur [(f value right) after]))
      [value left])))
(defn term [tokens] (chain atom-expr {"*" * "/" quot} tokens))
(defn expression [tokens] (chain term {"+" + "-" -} tokens))
(map (comp first expression lex) ["1+2*3" "(1+2)*3" "20/3-2" "2*(3+(4-1))*2"])
;;;; key path lookups
(defn path [s]
  (mapv (fn [part]
          (if-let [[_ n] (re-matches #"\[(\d+)\]" part)]
            (parse-long n)
            (keyword part)))
        (re-seq #"\[\d+\]|\w+" s)))
(let [doc {:items [{:name "first"} {:name "second" :tags ["x" "y"]}] :count 2}]
  (mapv (fn [p] [p (get-in doc (path p) :none)]) ["count" "items[1].name" "items[1].tags[0]" "items[9].name"]))
;;;; cron field
(defn field [spec low high]
  (->> (clojure.string/split spec #",")
       (mapcat (fn [part]
                 (let [[range-text step] (clojure.string/split part #"/")
                       [a b] (if (= range-text "*")
                               [low high]
                               (let [[x y] (map parse-long (clojure.string/split range-text #"-"))] [x (or y x)]))]
                   (range a (inc b) (if step (parse-long step) 1)))))
       distinct
       sort))
[(field "*/15" 0 59) (field "1-5" 0 6) (field "0,10,20-22" 0 59)]
;;;; s-expression printer
(defn show [x]
  (cond
    (map? x) (str "{" (clojure.string/join " " (map (fn [[k v]] (str (show k) "=" (show v))) x)) "}")
    (sequential? x) (str "[" (clojure.string/join "; " (map show x)) "]")
    (keyword? x) (name x)
    (string? x) (pr-str x)
    (nil? x) "null"
    :else (str x)))
(show {:a [1 "two" nil] :b {:c true} :d '(x y)})
;;;; headers block
(def raw "Content-Type: text/html; charset=utf-8
Set-Cookie: a=1
X-Empty:
set-cookie: b=2")
(let [pairs (for [line (clojure.string/split-lines raw)
                  :let [[_ k v] (re-matches #"([^:]+):\s*(.*)" line)]]
              [(clojure.string/lower-case k) v])
      headers (reduce (fn [m [k v]] (if (= v "") m (update m k (fnil conj []) v))) {} pairs)
      [kind & params] (clojure.string/split (first (headers "content-type")) #";\s*")]
  {:headers headers
   :kind kind
   :params (into {} (map #(vec (clojure.string/split % #"="))) params)})
;;;; glob to regex
(defn glob->re [glob]
  (re-pattern (apply str (map (fn [c]
                                (case c
                                  \* ".*"
                                  \? "."
                                  (\. \( \) \+ \$) (str "\\" c)
                                  (str c)))
                              glob))))
(let [files ["main.clj" "main.cljs" "test_a.clj" "notes.md" "a.b"]]
  (into {} (for [g ["*.clj" "test_?.*" "?.b"]] [g (filterv #(re-matches (glob->re g) %) files)])))
;;;; chess positions
(defn square [s]
  (let [[_ file rank] (re-matches #"([a-h])([1-8])" s)]
    (when file [(- (int (first file)) (int \a)) (dec (parse-long rank))])))
(defn knight-moves [s]
  (let [[x y] (square s)]
    (sort (for [[dx dy] [[1 2] [2 1] [2 -1] [1 -2] [-1 -2] [-2 -1] [-2 1] [-1 2]]
                :let [a (+ x dx) b (+ y dy)]
                :when (and (<= 0 a 7) (<= 0 b 7))]
            (str (char (+ (int \a) a)) (inc b))))))
{:corner (knight-moves "a1") :centre (count (knight-moves "d4")) :bad (square "z9")}
;;;; bracketed markup
(defn parse-markup [text]
  (let [tokens (re-seq #"\[/?\w+\]|[^\[]+" text)]
    (loop [[t & more] tokens stack [[:root]]]
      (if (nil? t)
        (if (= 1 (count stack)) (first stack) {:unclosed (mapv first (rest stack))})
        (if-let [[_ close tag] (re-matches #"\[(/?)(\w+)\]" t)]
          (if (= close "/")
            (let [done (peek stack) below (pop stack)]
              (recur more (conj (pop below) (conj (peek below) done))))
            (recur more (conj stack [(keyword tag)])))
          (recur more (conj (pop stack) (conj (peek stack) t))))))))
[(parse-markup "Hi [b]bold [i]both[/i][/b]!") (parse-markup "[b]open")]
;;;; hex colours
;data colours ["#ff8800", "#0F0", "red", "#12345"]
(defn rgb [s]
  (when-let [[_ digits] (re-matches #"#((?:[0-9a-fA-F]{3}){1,2})" s)]
    (let [pairs (if (= 3 (count digits))
                  (map #(str % %) digits)
                  (map #(apply str %) (partition 2 digits)))]
      (mapv #(Integer/parseInt % 16) pairs))))
(let [luminance (fn [[r g b]] (quot (+ (* 299 r) (* 587 g) (* 114 b)) 1000))]
  (for [c data/colours
        :let [v (rgb c)]]
    (if v {:colour c :rgb v :dark? (< (luminance v) 128)} {:colour c :error true})))
;;;; wildcard permissions
(defn allows? [pattern permission]
  (let [ps (clojure.string/split pattern #":")
        xs (clojure.string/split permission #":")]
    (loop [[p & ps] ps [x & xs] xs]
      (cond
        (nil? p) (nil? x)
        (= p "**") true
        (nil? x) false
        (or (= p "*") (= p x)) (recur ps xs)
        :else false))))
(let [granted ["files:read:*" "users:**"]]
  (reduce (fn [m wanted] (assoc m wanted (boolean (some #(allows? % wanted) granted))))
          {}
          ["files:read:a.txt" "files:write:a.txt" "users:delete:7" "files:read"]))
