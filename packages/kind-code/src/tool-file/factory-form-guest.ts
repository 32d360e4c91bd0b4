/** A module of the guest: makes the AI SDK tool of a factory, and runs or describes it. */
export const factoryModule: string = String.raw`
const neverAborted = Object.freeze({
  aborted: false,
  reason: undefined,
  onabort: null,
  addEventListener() {},
  removeEventListener() {},
  throwIfAborted() {},
})

const contextOf = (ctx) => {
  const { agentId = '', id = '', toolName = '' } = ctx.call ?? {}
  return { ...ctx, agentId, agent: { id: agentId, name: agentId, slug: agentId }, toolName, toolCallId: id, abortSignal: neverAborted }
}

// Where these lines stand tells an author nothing.
const placeless = (error) => Object.defineProperty(error, 'stack', { value: '' })
const wrong = (text) => placeless(new TypeError(text))

const makeTool = async (factory, ctx) => {
  if (typeof factory !== 'function')
    throw wrong('The default export must be a function (context) => tool({ … }), not ' + (factory === null ? 'null' : typeof factory))
  const made = await factory(contextOf(ctx))
  if (typeof made !== 'object' || made === null)
    throw wrong('The factory must return tool({ … }), and returned ' + (made === null ? 'null' : typeof made))
  if (typeof made.execute !== 'function') throw wrong('The tool has no function "execute"')
  const given = made.inputSchema ?? made.parameters
  if (given === undefined || given === null) throw wrong('The tool has no "inputSchema"')
  return { made, inputSchema: typeof given === 'function' ? given() : given }
}

const isIssueList = (issues) => Array.isArray(issues) && issues.length > 0

const describeIssue = ({ message, path = [] }) => {
  const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
  return place === '' ? message : place + ': ' + message
}

const invalid = (text) => {
  const error = new Error('The input does not fit the schema of the tool: ' + text)
  error.name = 'InputError'
  return placeless(error)
}

const readInput = async (schema, input) => {
  const standard = schema['~standard']
  if (standard !== undefined) {
    const { issues, value } = await standard.validate(input)
    if (!isIssueList(issues)) return value
    throw invalid(issues.slice(0, 10).map(describeIssue).join('; '))
  }
  if (typeof schema.validate !== 'function') return input
  const { error, success, value } = await schema.validate(input)
  if (success) return value
  throw invalid(String(error?.message ?? error))
}

const optionsOf = (ctx) => ({ abortSignal: neverAborted, toolCallId: ctx.call?.id ?? '', messages: [] })

export async function runFactory(factory, input, ctx) {
  const { inputSchema, made } = await makeTool(factory, ctx)
  const result = await made.execute(await readInput(inputSchema, input), optionsOf(ctx))
  if (typeof result !== 'object' || result === null || typeof result[Symbol.asyncIterator] !== 'function') return result
  let last
  for await (const value of result) last = value
  return last
}

// A field of an input that is not there: it stands for its own place in a text, and for nothing else.
const standIn = (place) =>
  new Proxy(Object.freeze({}), {
    get(_, key) {
      if (key === Symbol.toPrimitive)
        return (hint) => {
          if (hint === 'number') throw new TypeError('no number')
          return '$' + '{' + place + '}'
        }
      if (typeof key !== 'string' || !/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key)) throw new TypeError('no field')
      return standIn(place + '.' + key)
    },
    has: refuse,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
    getPrototypeOf: refuse,
  })

function refuse() {
  throw new TypeError('no value')
}

const formatOf = (made) => {
  try {
    const text = made.getHumanReadableContent(standIn('input'))
    return typeof text === 'string' && text.length > 0 && text.length <= 1000 ? text : undefined
  } catch {
    return undefined
  }
}

export async function describeFile(file, ctx, describeSchema) {
  const plainSchema = (schema) => {
    const given = schema['~standard'] === undefined ? (schema.jsonSchema ?? schema) : schema
    return describeSchema(given, false)
  }
  const settings = file.toolcrib
  if (typeof file.default !== 'function')
    throw wrong('The default export must be a function: (context) => tool({ … }), or (input, ctx) => value beside export const toolcrib')
  if (settings?.inputSchema !== undefined) return { form: 'function', settings }
  const { inputSchema, made } = await makeTool(file.default, ctx)
  const format = formatOf(made)
  return {
    form: 'factory',
    description: made.description,
    inputSchema: plainSchema(inputSchema),
    ...(made.outputSchema === undefined ? {} : { outputSchema: plainSchema(made.outputSchema) }),
    ...(format === undefined ? {} : { humanReadableFormat: format }),
    ...(settings === undefined ? {} : { settings }),
  }
}
`
