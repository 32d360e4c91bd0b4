import { expect, test } from 'vitest'
import { shippingFile } from '../../test/custom-tool-files.ts'
import { customToolSchema } from '../index.ts'
import { workflowExample } from '../generation/workflow-example.ts'

const problemOf = (change: object): string => {
  const parsed = customToolSchema.safeParse({ ...shippingFile, ...change })
  return parsed.success
    ? 'none'
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}

test('a complete file is read as it is', () => {
  expect(customToolSchema.parse(shippingFile)).toEqual(shippingFile)
  const workflow = {
    ...shippingFile,
    type: 'n8n',
    logic: undefined,
    n8nWorkflowId: 'aB3',
    templateSource: 'daily-report',
  }
  expect(customToolSchema.parse(workflow)).toEqual(workflow)
})

test.each(['name', 'description', 'type', 'parameters', 'riskLevel', 'createdAt', 'createdBy'])(
  'a file without %s is refused by the name of the field',
  (field) => {
    expect(problemOf({ [field]: undefined })).toContain(`${field}: `)
  },
)

test('a compute tool needs logic, an n8n tool a workflow', () => {
  expect(problemOf({ logic: undefined })).toBe('logic: is needed by a tool of type compute')
  expect(problemOf({ type: 'n8n' })).toBe(
    'workflow: is needed by a tool of type n8n, or n8nWorkflowId',
  )
})

test('a program is checked completely, with the path of each problem', () => {
  const steps = [
    { op: 'eval', code: '1' },
    { op: 'math', expression: '1 +', output: 'a' },
    { op: 'return', value: 'a' },
  ]
  const problem = problemOf({ logic: { steps } })
  expect(problem).toContain('logic.steps.0.op: there is no operation "eval"')
  expect(problem).toContain('logic.steps.1.expression: ')
  expect(problemOf({ logic: 'x' })).toContain('logic: must be a program')
})

test.each([
  [{ name: '../../etc/passwd' }, 'name: may hold only letters'],
  [{ name: '__proto__' }, 'name: is reserved'],
  [{ description: '  ' }, 'description: '],
  [{ type: 'code' }, 'type: '],
  [{ riskLevel: 'none' }, 'riskLevel: '],
  [{ createdAt: 'yesterday' }, 'createdAt: '],
  [{ createdBy: 'x'.repeat(201) }, 'createdBy: '],
  [{ owner: 'ada' }, 'owner'],
  [{ parameters: { a: { type: 'float' } } }, 'parameters.a.type: must be one of'],
])('a wrong field is refused by its name: %j', (change, expected) => {
  expect(problemOf(change)).toContain(expected)
})

test('parameters may be a JSON Schema, under the rules for schemas from strangers', () => {
  const schema = { type: 'object', properties: { a: { type: 'number', minimum: 0 } } }
  expect(problemOf({ parameters: schema })).toBe('none')
  expect(problemOf({ parameters: { type: 'array' } })).toBe(
    'parameters: must describe an object, with a property for each parameter',
  )
  const pattern = { type: 'object', properties: { a: { pattern: '(a+)+$' } } }
  expect(problemOf({ parameters: pattern })).toContain('pattern is not accepted')
  expect(problemOf({ parameters: { type: { type: 'string' } } })).toBe('none')
})

test('a workflow is checked completely, and completed', () => {
  const n8n = { type: 'n8n', logic: undefined }
  expect(problemOf({ ...n8n, workflow: [] })).toMatch(/^workflow: /)
  const { workflow } = workflowExample as { workflow: { nodes: object[] } }
  expect(problemOf({ ...n8n, workflow })).toBe('none')
  const nodes = [...workflow.nodes, { name: 'x', type: 'n8n-nodes-base.nope' }]
  expect(problemOf({ ...n8n, workflow: { ...workflow, nodes } })).toContain('n8n-nodes-base.nope')
})
