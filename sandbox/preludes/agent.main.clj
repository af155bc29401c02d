(ns agent.main
  "The entry of a manifest that is nothing but an agent: name agent.main/run as the entry and give it a task."
  {:visibility :prompt})

(defn run
  "Works on \"task\" with the options \"agent\" ({} for the defaults) and returns the value that the agent returned,
  once it satisfies the result contract of the application."
  {:signature
   "(input {task :string, agent {model :string?, mission :string?, max_turns :any?, max_program_chars :any?, max_observation_chars :any?, max_transcript_chars :any?, consolidate_at_turns_remaining :int?}}) -> :any"}
  [input]
  (return (agent.core/run-result-value (get input "task") (get input "agent"))))
