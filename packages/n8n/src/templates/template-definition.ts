import type { z } from 'zod'
import type { Arguments } from './argument.ts'
import type { ToolPlan } from './tool-workflow.ts'

/** What a template is made of. */
export interface TemplateDefinition<Fields extends z.ZodRawShape = z.ZodRawShape> {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly customizations: z.ZodObject<Fields, z.core.$strict>
  readonly arguments: Arguments
  readonly output: z.ZodType
  /** Whether it runs by itself too. */
  readonly isScheduled: boolean
  /** What is particular to its workflow; `given` are checked customizations. */
  readonly plan: (
    given: z.output<z.ZodObject<Fields, z.core.$strict>>,
  ) => Pick<ToolPlan, 'dailyAt' | 'steps' | 'result' | 'outcome'>
}

/** Types the customizations that `plan` is handed, then forgets them, so that templates can stand in one list. */
export function defineTemplate<Fields extends z.ZodRawShape>(
  definition: TemplateDefinition<Fields>,
): TemplateDefinition {
  return definition as unknown as TemplateDefinition
}
