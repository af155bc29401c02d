;;;; tokenize arithmetic
(defn tokens [s]
  (map (fn [t] (if (re-matches #"\d+" t) (parse-long t) (keyword t)))
       (re-seq #"\d+|[-+*/()]" s)))
(tokens "12 + 3*(45 - 6)")
;;;; reverse polish notation
(defn rpn [expression]
  (let [ops {"+" + "-" - "*" *}]
    (first
     (reduce (fn [stack token]
               (if-let [op (ops token)]
                 (let [[b a & others] stack] (cons (op a b) others))
                 (cons (parse-long token) stack)))
             () (clojure.string/split expression #" ")))))
[(rpn "3 4 + 2 *") (rpn "5 1 2 + 4 * + 3 -")]
;;;; query string
(defn parse-query [q]
  (->> (clojure.string/split q #"&")
       (map #(clojure.string/split % #"=" 2))
       (reduce (fn [m [k v]] (update m (keyword k) (fnil conj []) v)) {})))
(let [q (parse-query "page=2&tag=a&tag=b&sort=name")]
  [q (-> q :page first parse-long inc)])
;;;; ini file
(def ini "[server]\nhost = example.org\nport=8080\n; a comment\n[client]\nretries = 3\n")
(loop [[line & more] (clojure.string/split-lines ini) section nil result {}]
  (if (nil? line)
    result
    (let [line (clojure.string/trim line)]
      (if-let [[_ s] (re-matches #"\[(\w+)\]" line)]
        (recur more (keyword s) result)
        (if-let [[_ k v] (re-matches #"(\w+)\s*=\s*(.*)" line)]
          (recur more section (assoc-in result [section (keyword k)] v))
          (recur more section result))))))
;;;; tiny stack machine
(defn run [program]
  (loop [pc 0 stack [] out []]
    (if (>= pc (count program))
      {:stack stack :out out}
      (let [[op arg] (nth program pc)]
        (case op
          :push (recur (inc pc) (conj stack arg) out)
          :add (let [[a b] (take-last 2 stack)]
                 (recur (inc pc) (conj (vec (drop-last 2 stack)) (+ a b)) out))
          :print (recur (inc pc) stack (conj out (peek stack)))
          :jump-if-less (if (< (peek stack) (first arg)) (recur (second arg) stack out) (recur (inc pc) stack out)))))))
(run [[:push 1] [:push 2] [:add] [:print] [:jump-if-less [9 1]] [:push 0]])
;;;; semantic versions
(defn parse-version [s]
  (mapv parse-long (rest (re-matches #"v?(\d+)\.(\d+)\.(\d+)" s))))
(let [versions ["v1.10.0" "1.2.11" "v1.2.3" "2.0.0"]
      sorted (sort-by parse-version versions)]
  {:sorted sorted :latest (last sorted) :majors (frequencies (map (comp first parse-version) versions))})
;;;; date ranges
(let [text "2024-01-05..2024-01-08, 2024-02-27..2024-03-01"
      ranges (for [[_ a b] (re-seq #"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)" text)]
               [(LocalDate/parse a) (LocalDate/parse b)])]
  (mapv (fn [[a b]]
          (let [days (- (.toEpochDay b) (.toEpochDay a))]
            {:from (str a) :to (str b) :days (inc days) :middle (str (.plusDays a (quot days 2)))}))
        ranges))
;;;; evaluate nested forms
(defn evaluate [env form]
  (cond
    (number? form) form
    (symbol? form) (or (env form) (throw (ex-info "unbound" {:name form})))
    (list? form) (let [[op & args] form
                       f ({'+ + '- - '* * 'max max} op)]
                   (if f
                     (apply f (map #(evaluate env %) args))
                     (throw (ex-info "unknown operator" {:op op}))))))
[(evaluate {'x 4 'y 5} '(+ 1 (* x (max y 2))))
 (try (evaluate {} '(+ z 1)) (catch Exception e (ex-data e)))]
;;;; parse measurements
(let [unit {"mm" 1 "cm" 10 "m" 1000 "km" 1000000}
      parse (fn [s]
              (if-let [[_ n u] (re-matches #"\s*(\d+(?:\.\d+)?)\s*(mm|cm|m|km)\s*" s)]
                (* (parse-double n) (unit u))
                :invalid))]
  (zipmap ["5 cm" "1.5m" "3 miles" " 2km "] (map parse ["5 cm" "1.5m" "3 miles" " 2km "])))
;;;; command line flags
(defn parse-args [args]
  (loop [[a & more] args opts {} positional []]
    (cond
      (nil? a) {:opts opts :args positional}
      (= a "--") {:opts opts :args (into positional more)}
      (clojure.string/starts-with? a "--")
      (let [[k v] (clojure.string/split (subs a 2) #"=" 2)]
        (recur more (assoc opts (keyword k) (or v true)) positional))
      (clojure.string/starts-with? a "-") (recur more (into opts (map (fn [c] [(keyword (str c)) true])) (subs a 1)) positional)
      :else (recur more opts (conj positional a)))))
(parse-args ["build" "--out=dist" "-vq" "--force" "src" "--" "-x"])
