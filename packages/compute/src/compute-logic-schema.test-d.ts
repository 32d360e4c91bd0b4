import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { expectTypeOf, it } from 'vitest'
import type { ComputeLogic, ComputeLogicSchema } from './index.ts'

it('is a Standard Schema with JSON Schema, whose output is a program', () => {
  expectTypeOf<ComputeLogicSchema>().toExtend<StandardSchemaV1<ComputeLogic, ComputeLogic>>()
  expectTypeOf<ComputeLogicSchema>().toExtend<StandardJSONSchemaV1<ComputeLogic, ComputeLogic>>()
  expectTypeOf<StandardSchemaV1.InferOutput<ComputeLogicSchema>>().toEqualTypeOf<ComputeLogic>()
})
