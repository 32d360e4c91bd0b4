import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { expectTypeOf, it } from 'vitest'
import type { ComputeLogic } from '../language/compute-logic.ts'
import type { computeLogicSchema } from './index.ts'

type Schema = typeof computeLogicSchema

it('is a Standard Schema with JSON Schema, whose output is a program', () => {
  expectTypeOf<Schema>().toExtend<StandardSchemaV1<ComputeLogic, ComputeLogic>>()
  expectTypeOf<Schema>().toExtend<StandardJSONSchemaV1<ComputeLogic, ComputeLogic>>()
  expectTypeOf<StandardSchemaV1.InferOutput<Schema>>().toEqualTypeOf<ComputeLogic>()
})
