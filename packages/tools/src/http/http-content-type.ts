/** What a `content-type` header says. */
export interface ContentType {
  /** In lower case, such as `text/html`; empty where there is none. */
  readonly mediaType: string
  /** As it was sent. */
  readonly charset: string | undefined
}

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-ndjson',
  'application/jsonl',
  'application/json5',
  'application/xml',
  'application/javascript',
  'application/ecmascript',
  'application/x-javascript',
  'application/typescript',
  'application/graphql',
  'application/sql',
  'application/toml',
  'application/yaml',
  'application/x-yaml',
  'application/x-sh',
  'application/x-www-form-urlencoded',
])

/** Reads a `content-type` header, leniently: what cannot be read is as if it were not there. */
export function readContentType(header: string | undefined): ContentType {
  const [first = '', ...parameters] = (header ?? '').split(';')
  const mediaType = first.trim().toLowerCase()
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]{1,40})/i.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { mediaType: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType) ? mediaType : '', charset }
}

/** Tells whether a media type is JSON: `application/json`, `text/json`, or anything that ends in `+json`. */
export function isJsonType({ mediaType }: ContentType): boolean {
  return /^(?:application|text)\/json$|\+json$/.test(mediaType)
}

/** Whether a media type holds text; `undefined` where that must be seen from the bytes. */
export function isTextType({ mediaType, charset }: ContentType): boolean | undefined {
  if (/^text\/|\+(?:json|xml|yaml)$/.test(mediaType) || textTypes.has(mediaType)) return true
  if (/^(?:image|audio|video|font|model)\/|^application\/octet-stream$/.test(mediaType))
    return false
  return charset === undefined ? undefined : true
}
