(ns debug.start
  "Where the diagnosis of a failed run begins.")

(defn- linked
  "The first relationship of an item that has this name, is complete and leads somewhere; else nil."
  [item rel]
  (first (filter (fn [{:keys [state filters] :as link}] (and (= rel (:rel link)) (= "complete" state) filters))
                 (:relationships item))))

(defn- at
  "The first item behind a relationship, or nil."
  [run-id link]
  (when link
    (first (get-in (debug.nav/follow run-id link {"limit" 1}) [:page :items]))))

(defn- program-of
  "The program that the error came from, or nil where none is proved."
  [run-id error]
  (when-let [event (at run-id (linked error "child_evaluations"))]
    (first (:items (debug.nav/read run-id {"collection"    "generated_sources"
                                           "evaluation_id" (:evaluation-id (:data event))})))))

(defn context
  "The latest failed run: \"run_id\", its first \"error\", the \"program\" that the error came from, and the \"page\" of one
  component that the program calls. The last two are nil where nothing is proved. Go on with debug.nav/follow."
  {:signature "() -> :map" :effect :read}
  []
  (let [run-id  (:run-id (first (:items (debug.nav/runs {"status" "error" "limit" 1}))))
        error   (first (:items (debug.nav/read run-id {"collection" "execution_errors" "limit" 1})))
        program (program-of run-id error)
        page    (at run-id (linked program "referenced_prelude_source"))]
    {"run_id"  run-id
     "error"   (select-keys error ["kind" "reason" "details" "relationships"])
     "program" (when program (select-keys program ["evaluation_id" "source" "relationships"]))
     "page"    (when page (select-keys page ["component_id" "source" "relationships"]))}))
