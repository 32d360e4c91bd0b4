export type { RenderedTemplate, TemplateSummary } from './workflow-template.ts'
