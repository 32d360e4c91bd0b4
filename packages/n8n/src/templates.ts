export { getTemplate, listTemplates, renderTemplate } from './templates/template-catalogue.ts'
export type { RenderedTemplate, TemplateSummary } from './workflow-template.ts'
