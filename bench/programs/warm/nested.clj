;;;; flatten config keys
(defn flat [prefix m]
  (reduce-kv (fn [acc k v]
               (let [path (conj prefix (name k))]
                 (if (map? v)
                   (merge acc (flat path v))
                   (assoc acc (clojure.string/join "." path) v))))
             {} m))
(flat [] {:db {:host "localhost" :port 5432 :pool {:min 1 :max 10}} :debug true :tags ["a" "b"]})
;;;; deep merge
(defn deep-merge [& maps]
  (apply merge-with
         (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b))
         maps))
(deep-merge {:server {:port 80 :tls {:on false}} :log :info}
            {:server {:tls {:on true :cert "x.pem"}}}
            {:log :debug})
;;;; redact secrets
(require '[clojure.walk :as walk])
(let [config {:user "ada" :password "hunter2" :nested [{:token "abc" :id 1} {:api-key "k" :id 2}]}
      secret? #{:password :token :api-key}]
  (walk/postwalk (fn [x]
                   (if (map? x)
                     (into {} (map (fn [[k v]] [k (if (secret? k) "***" v)])) x)
                     x))
                 config))
;;;; pick from api response
;data response {"data": {"users": [{"id": 1, "profile": {"name": "Ada", "emails": [{"address": "a@x", "primary": false}, {"address": "ada@x", "primary": true}]}}, {"id": 2, "profile": {"name": "Bob", "emails": []}}]}, "meta": {"page": 1, "total": 2}}
(let [users (get-in data/response ["data" "users"])]
  {:total (get-in data/response ["meta" "total"])
   :users (mapv (fn [u]
                  {:id (get u "id")
                   :name (get-in u ["profile" "name"])
                   :email (->> (get-in u ["profile" "emails"])
                               (filter #(get % "primary"))
                               first
                               (#(get % "address" "none")))})
                users)})
;;;; tree depth and leaves
(def tree {:name "root" :children [{:name "a" :children [{:name "a1"} {:name "a2" :children [{:name "deep"}]}]} {:name "b"}]})
(defn depth [{:keys [children]}]
  (inc (reduce max 0 (map depth children))))
(defn leaves [{:keys [name children]}]
  (if (seq children) (mapcat leaves children) [name]))
{:depth (depth tree) :leaves (leaves tree) :count (count (tree-seq :children :children tree))}
;;;; index by id and join
;keys keyword
;data authors [{"id": 1, "name": "Le Guin"}, {"id": 2, "name": "Lem"}]
;data books [{"title": "Solaris", "author": 2, "year": 1961}, {"title": "The Dispossessed", "author": 1, "year": 1974}, {"title": "Fiasco", "author": 2, "year": 1986}, {"title": "Anon", "author": 9, "year": 1900}]
(let [by-id (into {} (map (juxt :id :name)) data/authors)]
  (->> data/books
       (map (fn [{:keys [author] :as book}]
              (-> book (dissoc :author) (assoc :by (get by-id author "unknown")))))
       (sort-by :year)
       (mapv #(format "%d %s (%s)" (:year %) (:title %) (:by %)))))
;;;; diff of two maps
(defn diff [before after]
  (let [ks (sort (distinct (concat (keys before) (keys after))))]
    (reduce (fn [acc k]
              (let [[b a] [(get before k ::none) (get after k ::none)]]
                (cond
                  (= a b) acc
                  (= b ::none) (assoc-in acc [:added k] a)
                  (= a ::none) (assoc-in acc [:removed k] b)
                  :else (assoc-in acc [:changed k] {:from b :to a}))))
            {} ks)))
(diff {:a 1 :b 2 :c [1 2]} {:a 1 :b 3 :d nil :c [1 2]})
;;;; json text in and out
;own "{\"first\":{\"n\":1,\"tags\":[\"x\"]},\"ok\":true,\"sum\":3}"
(let [parsed (json/parse-string "{\"items\":[{\"n\":1,\"tags\":[\"x\"]},{\"n\":2,\"tags\":[]}],\"ok\":true}" true)
      items (filter (comp seq :tags) (:items parsed))]
  (json/generate-string {:ok (:ok parsed) :first (first items) :sum (reduce + (map :n (:items parsed)))}))
;;;; keywordize and rename
(let [raw {"first_name" "Ada" "last_name" "Lovelace" "address" {"zip_code" "1815"}}
      fix (fn [k] (keyword (clojure.string/replace k "_" "-")))]
  (letfn [(walk [x] (cond (map? x) (into {} (for [[k v] x] [(fix k) (walk v)]))
                          (coll? x) (mapv walk x)
                          :else x))]
    (let [{:keys [first-name last-name] {:keys [zip-code]} :address} (walk raw)]
      [first-name last-name zip-code (walk raw)])))
;;;; menu to breadcrumbs
(defn crumbs [path {:keys [title items]}]
  (let [here (conj path title)]
    (cons (clojure.string/join " > " here)
          (mapcat #(crumbs here %) items))))
(vec (crumbs [] {:title "Shop" :items [{:title "Books" :items [{:title "Sci-Fi"} {:title "Crime"}]} {:title "Music"}]}))
