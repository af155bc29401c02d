(ns debug.walk
  "From the latest failed run to everything that its failing program could reach, by relationships that are proved alone.")

(defn- links
  "The relationships of an item that have this name."
  [item rel]
  (filterv (fn [link] (= rel (:rel link))) (:relationships item)))

(defn- states [relationships]
  (mapv :state relationships))

(defn- complete? [state]
  (= "complete" state))

(defn- followed
  "The items behind the relationships that are complete, each once."
  [run-id relationships]
  (->> relationships
       (filter (fn [link] (and (complete? (:state link)) (:filters link))))
       (mapcat (fn [link] (get-in (debug.nav/follow run-id link {}) [:page :items])))
       distinct
       vec))

(defn- closure
  "Every component behind these relationships and those that it depends on, each once, and the states on the way."
  [run-id relationships]
  (loop [waiting relationships, found [], seen (states relationships)]
    (let [known (set (map :component-id found))
          more  (remove (fn [source] (known (:component-id source))) (followed run-id waiting))
          next  (vec (mapcat (fn [source] (links source "dependency_prelude_source")) more))]
      (if (empty? more)
        {:sources found, :states seen}
        (recur next (into found more) (into seen (states next)))))))

(defn- latest-failure []
  (or (first (:items (debug.nav/runs {"status" "error" "limit" 1})))
      (fail {:kind :no-failed-run})))

(defn- stops
  "Which evaluations ended, and how."
  [events]
  (->> events
       (filter (fn [event] (= "evaluation-stopped" (:type event))))
       (mapv (fn [event] (select-keys (:data event) ["evaluation_id" "status"])))))

(defn report
  "What is proved about the latest failed run. `boundary_kind` is mission where the failure is exactly what one program
  came to, else workflow. It says what is there and diagnoses nothing."
  {:signature "() -> :map" :effect :read}
  []
  (let [run       (latest-failure)
        run-id    (:run-id run)
        error     (first (:items (debug.nav/read run-id {"collection" "execution_errors"})))
        children  (links error "child_evaluations")
        producers (links error "direct_boundary_producer")
        generated (links error "generated_source")
        program   (first (followed run-id generated))
        reached   (closure run-id (links program "referenced_prelude_source"))
        sources   (:sources reached)]
    {:run_id             run-id
     :terminal_reason    (:terminal-reason run)
     :boundary_kind      (if (= ["complete"] (states producers)) "mission" "workflow")
     :nested_evaluations (stops (followed run-id children))
     :generated_source   (:source program)
     :dependency_closure (vec (sort (map :component-id sources)))
     :reached_sources    (mapv (fn [source] (select-keys source ["component_id" "source"])) sources)
     :closure_complete   (every? complete? (concat (states producers) (states generated) (:states reached)))
     :evidence_states    {:boundary_failure         (states (links error "boundary_failure"))
                          :child_evaluations        (states children)
                          :direct_boundary_producer (states producers)
                          :generated_source         (states generated)
                          :prelude_sources          (:states reached)}
     :diagnosis          nil}))
