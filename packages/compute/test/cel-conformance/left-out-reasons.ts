/** Why a case of the conformance suite is not run, each with the sentence of the table in the docs. */
export const leftOutReasons = {
  blanks: 'Comments and form feeds between tokens',
  messages: 'Protobuf messages, enums and the types around them',
  bytes: 'Bytes',
  timestamps: 'Timestamps, durations and time zones; dates are text here',
  regex: 'Regular expressions',
  type_values: 'Types as values, and `bool()`',
  optionals: 'Optional values, fields and entries',
  bindings: '`cel.bind` and `cel.block`; a `set` step names a value',
  two_variables: 'Macros with two variables, and those that make maps',
  map_keys: 'Maps with keys that are not strings',
  map_literals: 'Map literals that are not constant; constant ones are given as arguments',
  map_macros: 'Macros over the keys of a map',
  literal_forms: 'Raw and triple-quoted strings, `\\X` escapes, names in backquotes',
  functions:
    'Functions of extensions that are not in the language, or with arguments it does not take',
  qualified_names: 'Containers and qualified variable names',
  ascii_case:
    '`lowerAscii` and `upperAscii` of other letters; `lower` and `upper` change these too',
  trim_set: '`trim` takes the blanks of JavaScript: U+FEFF is one, U+0085 is none',
  integer_range: 'Errors because a number leaves the 64-bit range; numbers here have no such edge',
  lost_digits:
    'Integers that lose digits on their way to a double; here digits are kept or refused',
  infinity: 'NaN and Infinity, which do not exist here',
  one_number_type: 'Errors because int, uint and double do not mix; there is one number type',
  error_absorption:
    'Errors on one side of `&&` or `||`, or for one item of `all` or `exists`, that the other side outweighs',
  static_types:
    'An operand of a wrong type that would not be reached; it is refused before the run',
  boolean_order: 'Order of booleans',
  type_only: 'Cases that only check a type and have no result',
} as const

export type LeftOutReason = keyof typeof leftOutReasons
