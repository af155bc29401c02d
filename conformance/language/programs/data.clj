(def orders [{:id 1 :customer "ann" :lines [{:sku "a" :qty 2 :price 3.5} {:sku "b" :qty 1 :price 10.0}]}
             {:id 2 :customer "bob" :lines [{:sku "a" :qty 5 :price 3.5}]}
             {:id 3 :customer "ann" :lines []}])
(defn total [o] (reduce + 0 (map (fn [{:keys [qty price]}] (* qty price)) (:lines o))))
{:totals (into {} (map (juxt :id total)) orders)
 :by-customer (update-vals (group-by :customer orders) #(reduce + (map total %)))
 :skus (->> orders (mapcat :lines) (group-by :sku) (map (fn [[k v]] [k (reduce + (map :qty v))])) (into (sorted-map)))}
;;;;
(let [csv "id,name,score\n1,Ann,90\n2,Bob,85\n3,Cy,\n"
      [header & rows] (map #(str/split % #"," -1) (str/split-lines csv))
      ks (map keyword header)]
  (mapv #(zipmap ks %) rows))
;;;;
(def people [{:name "Ann" :age 30 :tags #{:a :b}} {:name "Bob" :age 25 :tags #{:b}} {:name "Cy" :age 35 :tags #{}}])
[(map :name (sort-by :age people))
 (map :name (filter (comp :b :tags) people))
 (/ (reduce + (map :age people)) 3.0)
 (apply max-key :age people)
 (reduce into #{} (map :tags people))]
;;;;
(def state (atom {:users {} :log []}))
(defn add-user! [id m] (swap! state (fn [s] (-> s (assoc-in [:users id] m) (update :log conj [:add id])))))
(defn remove-user! [id] (swap! state (fn [s] (-> s (update :users dissoc id) (update :log conj [:remove id])))))
(add-user! 1 {:name "a"})
(add-user! 2 {:name "b"})
(remove-user! 1)
@state
;;;;
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(deep-merge {:a {:b 1 :c {:d 1}} :x 1} {:a {:c {:e 2}} :y 2} {:a {:b 3}})
;;;;
(defn paths [m] (if (map? m) (for [[k v] m p (paths v)] (cons k p)) [[]]))
(map vec (paths {:a {:b 1 :c {:d 2}} :e 3}))
;;;;
(defn flatten-keys [m] (into {} (mapcat (fn [[k v]] (if (map? v) (map (fn [[k2 v2]] [(str (name k) "." k2) v2]) (flatten-keys v)) [[(name k) v]])) m)))
(flatten-keys {:a {:b 1 :c {:d 2}} :e 3})
;;;;
(let [m {:a 1 :b {:c [1 2 3]}}]
  [(get-in m [:b :c 1]) (assoc-in m [:b :c 1] :x) (update-in m [:b :c] #(mapv inc %)) (dissoc m :a) (keys m) (vals m)])
;;;;
(def inventory (atom {}))
(doseq [[op k n] [[:in :apple 5] [:in :pear 3] [:out :apple 2] [:in :apple 1]]]
  (swap! inventory update k (fnil (case op :in + :out -) 0) n)
  (println op k n "->" (@inventory k)))
@inventory
;;;;
(->> "the quick brown fox jumps over the lazy dog"
     (re-seq #"\w+")
     (group-by count)
     (into (sorted-map)))
;;;;
(defn validate [m rules]
  (reduce-kv (fn [errs k [pred msg]] (if (pred (get m k)) errs (assoc errs k msg))) {} rules))
(validate {:name "" :age -1 :email "x@y"} {:name [seq "required"] :age [pos? "positive"] :email [#(re-find #"@" %) "bad"]})
;;;;
(let [events [{:t 1 :k :start} {:t 5 :k :tick} {:t 9 :k :tick} {:t 12 :k :stop}]]
  [(map (fn [[a b]] (- (:t b) (:t a))) (partition 2 1 events))
   (reduce (fn [m {:keys [k]}] (update m k (fnil inc 0))) {} events)
   (some #(when (= :stop (:k %)) (:t %)) events)])
;;;;
(let [xs (range 20)]
  {:evens (filter even? xs) :squares (map #(* % %) (take 5 xs)) :sum (reduce + xs) :chunks (partition-all 6 xs) :nth (take-nth 7 xs)})
;;;;
(let [rows [[:a 1] [:b 2] [:a 3]]]
  [(reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} rows)
   (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} rows)
   (apply merge-with + (map (fn [[k v]] {k v}) rows))])
;;;;
(defn pivot [rows r c v] (reduce (fn [m row] (assoc-in m [(r row) (c row)] (v row))) (sorted-map) rows))
(pivot [{:y 2020 :q 1 :v 10} {:y 2020 :q 2 :v 20} {:y 2021 :q 1 :v 30}] :y :q :v)
;;;;
(def matrix (vec (for [y (range 3)] (vec (for [x (range 3)] (* x y))))))
[matrix (get-in matrix [2 2]) (assoc-in matrix [0 0] :x) (map #(reduce + %) matrix) (apply map + matrix)]
;;;;
(let [stack (-> [] (conj 1) (conj 2) (conj 3)) l (-> () (conj 1) (conj 2))]
  [(peek stack) (pop stack) (peek l) (pop l) (peek []) (peek ())])
;;;;
(let [s (set/union #{1 2} #{3})] [(contains? s 3) (set/difference s #{1}) (set/subset? #{1} s) (disj s 1 2) (conj s 1)])
;;;;
(let [people #{{:id 1 :name "a"} {:id 2 :name "b"}} pets #{{:owner 1 :pet "x"} {:owner 1 :pet "y"}}]
  (sort-by :pet (set/join people pets {:id :owner})))
;;;;
(defn index-by [f xs] (into {} (map (juxt f identity)) xs))
(index-by :id [{:id 1 :v :a} {:id 2 :v :b} {:id 1 :v :c}])
;;;;
(walk/postwalk (fn [x] (cond (map? x) (into (sorted-map) x) (string? x) (str/upper-case x) (number? x) (* 2 x) :else x))
  {:b ["x" {:z 1 :a "q"}] :a 2})
;;;;
(let [data {"user" {"name" "Ann" "langs" ["clj" "js"]}} m (walk/keywordize-keys data)]
  [(-> m :user :name) (get-in m [:user :langs 1]) (walk/stringify-keys m)])
;;;;
(let [m (zipmap (map #(keyword (str "k" %)) (range 12)) (range))]
  [(count m) (reduce + (vals m)) (into (sorted-map) (filter (comp even? val) m)) (select-keys m [:k3 :k11])])
;;;;
(let [v (vec (range 100))]
  [(nth v 50) (subvec v 95) (peek v) (count (pop v)) (reduce + v) (rseq (subvec v 0 3)) (assoc v 0 :first 99 :last)
   (= v (range 100)) (hash v)])
;;;;
(reduce (fn [acc [k v]] (if (> (count acc) 2) (reduced acc) (assoc acc k v))) {} (map vector [:a :b :c :d] (range)))
;;;;
(let [report (fn [{:keys [title items] :or {title "Report"}}]
               (println title)
               (doseq [[i {:keys [n p]}] (map-indexed vector items)] (println (format "%2d. %-8s %8.2f" (inc i) n p)))
               (println (apply str (repeat 20 "-")))
               (println (format "%-12s%8.2f" "total" (reduce + (map :p items)))))]
  (report {:items [{:n "apple" :p 1.5} {:n "pear" :p 22.25}]}))
;;;;
(let [log (atom [])
      step (fn [n] (swap! log conj n) n)]
  [(or (step nil) (step 1) (step 2)) (and (step 1) (step false) (step 3)) (if (step nil) :a :b) @log])
;;;;
(defn histogram [xs] (doseq [[k n] (sort (frequencies xs))] (println k (apply str (repeat n "*")))))
(histogram [3 1 2 3 3 2])
;;;;
(let [[x y & more :as all] (str/split "a b c d" #" ") {:keys [p q] :or {q 9} :as opts} {:p 1}]
  {:x x :y y :more more :n (count all) :p p :q q :opts opts})
;;;;
(def ^:private secret 42)
(def config "the config" {:a 1})
[(:doc (meta #'config)) (:private (meta #'secret)) (+ secret (:a config))]
;;;;
(defn compose-all [& fs] (reduce comp identity fs))
[((compose-all inc #(* 2 %) dec) 5) ((compose-all) 1)]
;;;;
(def pipeline (comp (filter odd?) (map #(* % %)) (take 3)))
[(into [] pipeline (range)) (transduce pipeline + (range)) (sequence pipeline [1 2 3]) (eduction pipeline (range 10))]
;;;;
(defn counter [] (let [n (atom 0)] {:inc #(swap! n inc) :get #(deref n)}))
(let [c (counter) d (counter)] ((:inc c)) ((:inc c)) ((:inc d)) [((:get c)) ((:get d))])
;;;;
;! A4 [(1 4 1 9 4) 3 {1 1, 2 4, 3 9}]
(let [cache (atom {}) calls (atom 0)
      slow (fn [x] (swap! calls inc) (* x x))
      fast (fn [x] (if-let [e (find @cache x)] (val e) (let [v (slow x)] (swap! cache assoc x v) v)))]
  [(map fast [1 2 1 3 2]) @calls @cache])
