/** Names printed in interface.md: documentation pages in order, and the seven lists of init. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export const PAGES = words(`
  agent-guide quickstart getting-started concepts building-agents manifests-and-capabilities
  components-and-preludes designing-agent-workflows agent-workflow-patterns using-models host-configuration
  project-configuration connecting-tools-with-mcp serving-a-workflow-over-mcp running-and-debugging
  self-improvement evaluating-with-replay kernel-repl inspect-source cli svc-lisp functions preludes
  agent-library signatures java-interop conformance-gaps manifest components project examples host mcp gateway
  limits viewer repl source-inspection debug traces install install-docker install-source schema-manifest
  schema-project schema-host schema-gateway schema-mcp schema-envelope
`);

export const CREATED: readonly (readonly string[])[] = [
  words(`
    AGENTS.md .gitignore main.clj svc.json svc-project.json
  `),
  words(`
    .env .gitignore 01-orders 01-orders.svc-project.json 02-deepseek-extract
    02-deepseek-extract.svc-project.json 03-file-agent 03-file-agent.svc-project.json 04-multi-turn-agent
    04-multi-turn-agent.svc-project.json 05-signature-feedback 05-signature-feedback.svc-project.json
    06-cost-budget 06-cost-budget.svc-project.json 07-parallel-fan-out 07-parallel-fan-out.svc-project.json
    AGENTS.md README.md svc-host-cost-budget.json svc-host.json
  `),
  words(`
    .env .gitignore 01-one-question 01-one-question.svc-project.json 02-domain-api
    02-domain-api.svc-project.json 03-specialists 03-specialists.svc-project.json AGENTS.md README.md
    mission-boundary-check mission-boundary-check.svc-project.json svc-host.json
  `),
  words(`
    .gitignore AGENTS.md README.md artifact.clj browser.clj evidence.clj fixture.mjs svc-host.json
    svc-host.live.json svc-project.json svc.json repair-recipe.schema.json replay.jsonl run.mjs site.clj
    workflow.clj
  `),
  words(`
    .gitignore AGENTS.md README.md debugger debugger-agent debugger-agent.svc-project.json
    debugger.svc-project.json next-order.json svc-host.json repair-agent repair-agent-ambiguous.svc-project.json
    repair-agent.svc-project.json run-self-improvement.sh self-check-workflow-host.json
    self-check-workflow.svc-project.json self-check.svc-project.json self-check.svc.json self-debugger
    self-debugger.svc-project.json self-debugger.svc.json self-host.json self-improver-host.json
    self-improver.svc-project.json self-improver.svc.json self-repair.svc-project.json self-repair.svc.json
    target target.svc-project.json variants
  `),
  words(`
    .gitignore AGENTS.md README.md svc-host.json svc-project.json svc.json replay.jsonl workflow.clj
  `),
  words(`
    .env .gitignore AGENTS.md README.md svc-host.json svc-project.json svc.json reader-state reader.clj
    workflow.clj writer-state writer.clj
  `),
];
