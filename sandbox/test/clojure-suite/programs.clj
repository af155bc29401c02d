;; Takes the checks of the public Clojure test suite apart: each becomes a program of its own, which gives a vector of
;; :pass, :fail or :error, one for each time the check is reached. Argument: a checkout. Prints one JSON object a line.
(ns programs
  (:require [clojure.string :as str] [clojure.template :as template] [clojure.walk :as walk] clojure.edn clojure.set)
  (:import [java.io File PushbackReader StringReader]
           [java.security MessageDigest]
           [java.util IdentityHashMap]))

(defn path-of
  "Where a namespace of the suite stands; nil for any other one."
  [root namespace]
  (let [path (-> (name namespace) (str/replace #"^clojure\." "") (str/replace "-" "_") (str/replace "." "/") (str ".cljc"))]
    (when (.isFile (File. (str root "/test/clojure/" path))) path)))

(defn json-string [^String text]
  (let [out (StringBuilder. "\"")]
    (doseq [c text]
      (cond
        (#{\" \\} c) (.append out (str \\ c))
        (<= 32 (int c) 126) (.append out c)
        :else (.append out (format "\\u%04x" (int c)))))
    (str (.append out "\""))))

(defn digest [text]
  (->> (.digest (MessageDigest/getInstance "SHA-256") (.getBytes ^String text "UTF-8"))
       (take 5) (map #(format "%02x" %)) (apply str)))

;; Reading

(defn aliases-of
  "What a namespace form requires: {:aliases {alias namespace} :referred {name namespace}}."
  [ns-form]
  (let [specs (for [[clause & specs] (filter seq? ns-form) :when (= clause :require), spec specs] (if (symbol? spec) [spec] spec))]
    (reduce (fn [found [namespace & {:keys [as refer]}]]
              (-> found
                  (update :aliases merge (cond-> {namespace namespace} as (assoc as namespace)))
                  (update :referred merge (when (sequential? refer) (zipmap refer (repeat namespace))))))
            {:aliases {} :referred {}}
            specs)))

(defn fresh-namespace
  "In which a file is read: keywords with :: are those of a program, whose namespace is user."
  [{:keys [aliases]}]
  (remove-ns 'user)
  (binding [*ns* (create-ns 'user)]
    (refer-clojure)
    (doseq [[alias-name namespace] aliases :when (not= alias-name namespace)] (alias alias-name (ns-name (create-ns namespace))))
    *ns*))

(defn read-file
  "The namespace's names, those of them that are namespaces of the suite, and the forms that follow."
  [root path]
  (let [text (slurp (File. (str root "/test/clojure/" path)))
        eof (Object.)
        read-next (fn [reader] (read {:read-cond :allow :eof eof} reader))
        names (aliases-of (binding [*ns* (create-ns 'programs)] (read-next (PushbackReader. (StringReader. text)))))
        names (assoc names :libraries (set (filter #(path-of root %) (vals (:aliases names)))))]
    (binding [*ns* (fresh-namespace names)]
      (let [reader (PushbackReader. (StringReader. text))]
        (read-next reader)
        (assoc names :home *ns* :forms (doall (take-while #(not (identical? eof %)) (repeatedly #(read-next reader)))))))))

;; Forms

(defn rewrite
  "A form with what f gives in the place of each of its parts, innermost last; quoted data stay, and so does metadata."
  [f form]
  (let [form (f form)
        inner (cond
                (and (seq? form) (= 'quote (first form))) form
                (seq? form) (apply list (map #(rewrite f %) form))
                (map? form) (into (empty form) (map (fn [[k v]] [(rewrite f k) (rewrite f v)]) form))
                (vector? form) (mapv #(rewrite f %) form)
                (set? form) (into #{} (map #(rewrite f %) form))
                :else form)]
    (if (and (meta form) (instance? clojure.lang.IObj inner)) (with-meta inner (meta form)) inner)))

(defn symbols [form]
  (->> (tree-seq coll? seq form) (filter symbol?) set))

(defn library-name [namespace local]
  (symbol (str (last (str/split (name namespace) #"\.")) "--" local)))

(defn renamed
  "A form whose references to shared definitions are to names of the program."
  [{:keys [aliases referred libraries]} form]
  (rewrite (fn [part]
             (let [namespace (when (symbol? part)
                               (if (namespace part) (aliases (symbol (namespace part))) (referred part)))]
               (if (contains? libraries namespace) (with-meta (library-name namespace (name part)) (meta part)) part)))
           form))

(defn plain-functions
  "#(…) as (fn …), its parameters under names that do not change from one reading to the next."
  [form]
  (let [short-name (fn [part] (when (symbol? part) (second (re-matches #"((?:p\d+|rest)_)_\d+#" (name part)))))]
    (rewrite (fn [part]
               (cond
                 (and (seq? part) (= 'fn* (first part))) (with-meta (apply list 'fn (rest part)) (meta part))
                 (short-name part) (symbol (short-name part))
                 :else part))
             form)))

(defn head-of
  "The name of the macro of clojure.test that a list calls, by any of its spellings."
  [form]
  (when (and (seq? form) (symbol? (first form)))
    (let [head (first form)]
      (when (contains? #{nil "t" "clojure.test" "user" "p" "clojure.core-test.portability"} (namespace head))
        (get {"testing" :testing "are" :are "is" :is "when-var-exists" :when-var-exists "portability--when-var-exists" :when-var-exists} (name head))))))

(defn exists? [home name]
  (boolean (try (ns-resolve home name) (catch Throwable _ nil))))

(defn expand
  "A form without the macros of clojure.test and of its file: each check is (::check FORM)."
  [{:keys [home macros] :as file} form]
  (rewrite
   (fn expanded [part]
     (case (head-of part)
       :testing (recur (list* 'do (drop 2 part)))
       :when-var-exists (if (exists? home (second part)) (list* 'do (drop 2 part)) nil)
       :are (let [[_ argv expr & args] part]
              (list* 'do (if (empty? argv)
                           [(list ::check expr)]
                           (map (fn [row] (list 'is (template/apply-template argv expr row))) (partition (count argv) args)))))
       :is (list ::check (second part))
       (if (and (seq? part) (symbol? (first part)) (contains? macros (name (first part))))
         (recur (apply (macros (name (first part))) nil nil (rest part)))
         part)))
   form))

(defn macros-of
  "The macros that a file defines, as functions."
  [{:keys [home forms]}]
  (binding [*ns* home]
    (into {} (for [[head macro-name :as form] (filter seq? (tree-seq seq? seq (apply list forms))) :when (= head 'defmacro)]
               (do (eval form) [(name macro-name) @(ns-resolve home macro-name)])))))

(defn spliced
  "Top-level forms, those inside of (do …) among them."
  [forms]
  (mapcat (fn [form] (if (and (seq? form) (= 'do (first form))) (spliced (rest form)) [form])) forms))

;; Checks

(defn checks-in [form]
  (filter #(and (seq? %) (= ::check (first %))) (tree-seq #(and (coll? %) (not (and (seq? %) (= 'quote (first %))))) seq form)))

(def numbers-in
  "The numbers of the checks in a form, remembered by the form itself: each is asked once for every check."
  (let [known (IdentityHashMap.)]
    (fn [form]
      (or (.get known form)
          (let [numbers (set (map second (checks-in form)))]
            (.put known form numbers)
            numbers)))))

(defn numbered
  "Forms whose checks are (::check NUMBER FORM), counted through all of them."
  [forms]
  (let [last-number (atom 0)]
    (doall (map (fn [form] (rewrite (fn [part] (if (and (seq? part) (= ::check (first part)) (= 2 (count part)))
                                                 (list ::check (swap! last-number inc) (second part))
                                                 part))
                                    form))
                forms))))

(defn raising
  "Class and body of a check that demands an exception, and what it must satisfy; nil for any other check."
  [form]
  (when (and (seq? form) (symbol? (first form)))
    (let [[head & [class-name pattern :as parts]] form]
      (case (name head)
        ("p/thrown?" "portability--thrown?") {:class 'Throwable :body parts :test true}
        "thrown?" (if (namespace head) {:class 'Throwable :body parts :test true} {:class class-name :body (rest parts) :test true})
        "thrown-with-msg?" {:class class-name :body (drop 2 parts) :test (list 're-find pattern (list 'ex-message 'thrown))}
        nil))))

(defn recording [form]
  (let [{:keys [class body test]} (raising form)]
    (list 'swap! 'suite--results 'conj
          (list 'try
                (if class
                  (list 'try (concat ['do] body [:fail]) (list 'catch class 'thrown (list 'if test :pass :fail)))
                  (list 'if form :pass :fail))
                (list 'catch 'Throwable '_ :error)))))

(defn only
  "A form in which one check records; the others are gone, and so is all that holds no other than these."
  [number form]
  (rewrite (fn [part]
             (let [numbers (when (seq? part) (numbers-in part))]
               (cond
                 (empty? numbers) part
                 (not (contains? numbers number)) nil
                 (= ::check (first part)) (recording (nth part 2))
                 (= 'do (first part)) (concat ['do] (remove #(and (seq? %) (seq (numbers-in %)) (not (contains? (numbers-in %) number))) (rest part)))
                 :else part)))
           form))

(defn amid
  "A form in which one check records and the others are evaluated."
  [number form]
  (rewrite (fn [part]
             (if (and (seq? part) (= ::check (first part)))
               (let [[_ found expr] part]
                 (if (= number found)
                   (recording expr)
                   (list 'try (if-let [{:keys [body]} (raising expr)] (cons 'do body) expr) (list 'catch 'Throwable '_ nil))))
               part))
           form))

;; Programs

(defn defined-names [form]
  (when (and (seq? form) (symbol? (first form)) (str/starts-with? (name (first form)) "def") (symbol? (second form)))
    (let [defined (name (second form))]
      (into #{defined (str "->" defined) (str "map->" defined) (str defined ".")}
            (when (= 'defprotocol (first form)) (map (comp name first) (filter seq? form)))))))

(defn needed
  "Definitions that forms refer to, directly or not, in their order; what defines nothing is needed always."
  [definitions forms]
  (let [mentions (fn [form] (set (map name (symbols form))))
        wanted (loop [wanted (mentions (concat forms (remove defined-names definitions)))]
                 (let [more (into wanted (mapcat mentions (filter #(some wanted (defined-names %)) definitions)))]
                   (if (= more wanted) wanted (recur more))))]
    (filter #(let [names (defined-names %)] (or (nil? names) (some wanted names))) definitions)))

(defn text-of [forms]
  (binding [*print-meta* true *print-namespace-maps* false]
    (str/join "\n" (map pr-str forms))))

(defn is-test? [form] (and (seq? form) (symbol? (first form)) (= "deftest" (name (first form)))))
(defn is-fixture? [form] (and (seq? form) (symbol? (first form)) (= "use-fixtures" (name (first form)))))
(defn is-left-out? [form] (or (not (coll? form)) (and (seq? form) (= 'defmacro (first form)))))

(defn body-of [fixtures [_ _ & body]]
  (reduce (fn [inner fixture] (list fixture (list 'fn [] inner))) (list* 'do body) fixtures))

(defn program
  "The text of the program for one check: `change` makes the one record and the others not."
  [{:keys [requires forms]} change number tests]
  (let [change #(change number %)
        fixtures (mapcat #(drop 2 %) (filter is-fixture? forms))
        definitions (remove #(or (is-test? %) (is-fixture? %)) forms)
        bodies (map #(change (body-of fixtures %)) tests)]
    (text-of (concat requires [(list 'def 'suite--results (list 'atom []))] (needed (map change definitions) bodies) bodies [(list 'deref 'suite--results)]))))

(defn forms-of
  "The forms of a file, expanded; those of the files that it requires before them."
  [root path]
  (let [{:keys [libraries forms] :as file} (read-file root path)
        file (assoc file :macros (macros-of file))
        own (->> forms (map #(->> % (expand file) (renamed file) plain-functions)) spliced (remove is-left-out?) doall)
        shared (for [library libraries
                     :let [forms (filter defined-names (:forms (forms-of root (path-of root library))))
                           own (into {} (for [[_ defined] forms] [defined library]))]
                     form forms :when (not (is-test? form))]
                 (renamed {:aliases {} :referred own :libraries #{library}} form))]
    (assoc file :forms (concat shared own))))

(defn requires-of [{:keys [aliases libraries]}]
  (for [[alias-name namespace] aliases :when (not (or (= alias-name namespace) (= 'clojure.test namespace) (contains? libraries namespace)))]
    (list 'require (list 'quote [namespace :as alias-name]))))

(defn file-checks
  "What is printed of each check of a file."
  [root path change]
  (let [file (forms-of root path)
        forms (numbered (:forms file))
        unit {:requires (requires-of file) :forms forms}
        tests (filter is-test? forms)
        callers (fn [form] (filter #(some (fn [called] (identical? called form)) (needed forms [%])) tests))
        seen (atom {})]
    (for [form forms
          :let [checks (checks-in form)]
          :when (seq checks)
          :let [roots (if (is-test? form) [form] (callers form))
                place (str (str/replace path #"\.cljc$" "") "/" (if (symbol? (second form)) (second form) "top"))]
          [_ number expr] checks
          :let [key (str place "/" (digest (pr-str expr)))
                ordinal (get (swap! seen update key (fnil inc 0)) key)]]
      {:id (if (= 1 ordinal) key (str key "." ordinal))
       :check (text-of [expr])
       :raises (str (boolean (raising expr)))
       :program (program unit change number roots)})))

(let [[root variant] *command-line-args*
      change ({"alone" only "amid" amid} variant)
      folder (File. (str root "/test/clojure"))
      wanted (when (= "amid" variant) (set (line-seq (java.io.BufferedReader. *in*))))]
  (doseq [path (->> (file-seq folder) (filter #(str/ends-with? % ".cljc")) (map #(subs (str %) (inc (count (str folder))))) sort)
          :when (or (nil? wanted) (some #(str/starts-with? % (str/replace path #"\.cljc$" "/")) wanted))
          check (file-checks root path change)
          :when (or (nil? wanted) (wanted (:id check)))]
    (println (str "{" (str/join "," (for [[k v] check] (str (json-string (name k)) ":" (json-string v)))) "}")))
  (flush)
  (shutdown-agents))
