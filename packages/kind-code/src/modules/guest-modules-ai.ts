/**
 * The module `ai` of a guest. Of the AI SDK only what describes a tool is there; models are on the other side of the host.
 * Types are erased before.
 */
export const aiModule: string = String.raw`
const kind = Symbol.for('vercel.ai.schema')
export const tool = (definition) => definition
export const dynamicTool = (definition) => ({ ...definition, type: 'dynamic' })
export const jsonSchema = (schema, { validate } = {}) => ({
  [kind]: true,
  get jsonSchema() {
    return typeof schema === 'function' ? schema() : schema
  },
  validate,
})
export const zodSchema = (schema) => schema
export const asSchema = (schema) => (typeof schema === 'function' ? schema() : schema)
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const createIdGenerator = ({ prefix, size = 16, separator = '-' } = {}) => () => {
  let id = ''
  for (let index = 0; index < size; index += 1) id += letters[Math.floor(Math.random() * letters.length)]
  return prefix === undefined ? id : prefix + separator + id
}
export const generateId = createIdGenerator()
`
