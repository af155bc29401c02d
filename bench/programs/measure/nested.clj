;;;; paths to every leaf
(defn paths [x]
  (cond
    (map? x) (for [[k v] x, p (paths v)] (cons k p))
    (vector? x) (for [[i v] (map-indexed vector x), p (paths v)] (cons i p))
    :else [()]))
(let [doc {:a {:b 1 :c [10 20]} :d nil}]
  (map (fn [p] [(vec p) (get-in doc p)]) (paths doc)))
;;;; remove empty values
(require '[clojure.walk :as walk])
(walk/prewalk
 (fn [x]
   (if (map? x)
     (into {} (remove (fn [[_ v]] (or (nil? v) (and (coll? v) (empty? v)) (= v "")))) x)
     x))
 {:id 7 :name "" :tags [] :owner {:email nil :phone "1"} :items [{:n 1 :note nil} {:n 2 :note "x"}]})
;;;; permissions of a user
;data directory {"roles": {"admin": ["read", "write", "delete"], "editor": ["read", "write"], "guest": ["read"]}, "users": [{"name": "ada", "roles": ["editor", "guest"]}, {"name": "bob", "roles": []}, {"name": "cy", "roles": ["admin"], "denied": ["delete"]}]}
(let [{:strs [roles users]} data/directory
      grants (fn [{granted "roles" denied "denied"}]
               (->> granted
                    (mapcat roles)
                    (into #{})
                    (remove (set denied))
                    sort))]
  (into {} (map (juxt #(get % "name") grants)) users))
;;;; sum numbers in any shape
(defn total [x]
  (cond
    (number? x) x
    (map? x) (reduce + (map total (vals x)))
    (sequential? x) (reduce + (map total x))
    (string? x) (or (parse-long x) 0)
    :else 0))
[(total {:a 1 :b [2 3 {:c 4}] :d "5" :e nil :f "x"}) (total []) (total [[[1]] [[2 [3]]]])]
;;;; normalise into tables
(let [posts [{:id 1 :author {:id 9 :name "Ann"} :comments [{:id 100 :by {:id 8 :name "Ben"}}]}
             {:id 2 :author {:id 8 :name "Ben"} :comments []}]
      users (concat (map :author posts) (map :by (mapcat :comments posts)))]
  {:users (into (sorted-map) (map (juxt :id :name) users))
   :posts (mapv (fn [p] (-> p
                            (update :author :id)
                            (update :comments #(mapv :id %))))
                posts)
   :comments (for [{post :id cs :comments} posts, {:keys [id by]} cs]
               {:id id :post post :by (:id by)})})
;;;; dependency order
(def dependencies {:app #{:web :db} :web #{:http} :db #{:log} :http #{:log} :log #{}})
(loop [left dependencies order []]
  (if (empty? left)
    order
    (let [ready (sort (for [[k needs] left :when (every? (set order) needs)] k))]
      (if (empty? ready)
        {:cycle (sort (keys left))}
        (recur (apply dissoc left ready) (into order ready))))))
;;;; apply json patch
(defn patch [doc {:keys [op path value]}]
  (case op
    "add" (if (vector? (get-in doc (butlast path)))
            (update-in doc (butlast path) conj value)
            (assoc-in doc path value))
    "replace" (if (some? (get-in doc path))
                (assoc-in doc path value)
                (throw (ex-info "nothing to replace" {:path path})))
    "remove" (update-in doc (vec (butlast path)) dissoc (last path))))
(let [doc {:title "x" :tags ["a"] :meta {:draft true}}]
  [(reduce patch doc [{:op "add" :path [:tags :-] :value "b"} {:op "remove" :path [:meta :draft]} {:op "replace" :path [:title] :value "y"}])
   (try (patch doc {:op "replace" :path [:nope] :value 1})
        (catch Exception e [(ex-message e) (ex-data e)]))])
;;;; localised labels
(def texts {:en {:menu {:file "File" :edit "Edit"} :ok "OK"}
            :de {:menu {:file "Datei"}}})
(defn label [lang & path]
  (or (get-in texts (cons lang path))
      (get-in texts (cons :en path))
      (str "?" (clojure.string/join "." (map name path)))))
[(label :de :menu :file) (label :de :menu :edit) (label :fr :ok) (label :de :menu :quit)]
;;;; group nested totals
;keys keyword
;data expenses [{"year": 2023, "month": 1, "kind": "food", "amount": 10}, {"year": 2023, "month": 1, "kind": "rent", "amount": 500}, {"year": 2023, "month": 2, "kind": "food", "amount": 30}, {"year": 2024, "month": 1, "kind": "rent", "amount": 510}]
(let [book (reduce (fn [m {:keys [year month kind amount]}]
                     (update-in m [year month kind] (fnil + 0) amount))
                   (sorted-map)
                   data/expenses)]
  (for [[year months] book
        :let [flat (mapcat seq (vals months))]]
    {:year year
     :months (count months)
     :sum (reduce + (map val flat))
     :kinds (sort (distinct (map key flat)))}))
;;;; render html
(defn html [node]
  (if (string? node)
    (clojure.string/escape node {\< "&lt;" \> "&gt;" \& "&amp;"})
    (let [[tag & more] node
          [attrs children] (if (map? (first more)) [(first more) (rest more)] [{} more])
          attr-text (apply str (for [[k v] attrs] (str " " (name k) "=\"" v "\"")))]
      (str "<" (name tag) attr-text ">" (apply str (map html children)) "</" (name tag) ">"))))
(html [:ul {:class "menu" :id "m"} [:li "Fish & Chips"] [:li [:b "a < b"]]])
