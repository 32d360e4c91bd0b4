import { type LanguageAttack, evaluate, returns, steps } from './language-attack.ts'

const json = (text: string): unknown => JSON.parse(text)
const inObject = { a: { b: 1 } }
/** Names that lead to a prototype or to functions of the host. */
export const prototypeAttacks: readonly LanguageAttack[] = [
  ...[
    'a.__proto__',
    'a["__proto__"]',
    'a.constructor',
    'a["con" + "structor"]',
    'a["toString"]',
  ].map((value): LanguageAttack => ({
    title: `path ${value}`,
    program: returns(value),
    args: () => ({ a: {} }),
    expected: { error: 'unknown_key|reserved_name' },
    why: 'a path sees own keys only, also where the key is worked out',
  })),
  ...[
    '"x".constructor',
    '"x"["length"]',
    '(1).toFixed',
    'true["valueOf"]',
    '[1].length',
    '[1]["length"]',
    'null.x',
  ].map((value): LanguageAttack => ({
    title: `field ${value} of something that is no object`,
    program: returns(value),
    expected: { error: 'type' },
    why: 'strings, numbers and arrays have no fields',
  })),
  ...[
    'has(a.constructor)',
    'has(a.__proto__)',
    '"toString" in a',
    '"__proto__" in a',
    '"hasOwnProperty" in a',
  ].map((value): LanguageAttack => ({
    title: value,
    program: returns(value),
    args: () => ({ a: {} }),
    expected: { value: false },
    why: 'inherited keys are no keys',
  })),
  ...[
    'constructor(1)',
    'toString(1)',
    '__proto__(1)',
    'a.valueOf()',
    'a.hasOwnProperty("b")',
    'a.b("x")',
    'eval("1")',
    'Function("return 1")',
  ].map((value): LanguageAttack => ({
    title: `call ${value}`,
    program: returns(value),
    args: () => inObject,
    expected: { error: 'unknown_function|reserved_name|bad_token' },
    why: 'only functions of the language can be called, never what is found in data',
  })),
  {
    title: 'constructor of a constructor called',
    program: returns('a.constructor.constructor("return 1")()'),
    args: () => inObject,
    expected: { error: 'unknown_function|bad_token|unknown_key|reserved_name' },
    why: 'the classic way to the Function constructor',
  },
  ...['constructor', 'toString', '__proto__', 'valueOf'].map((filter): LanguageAttack => ({
    title: `filter ${filter}`,
    program: steps(
      { op: 'format', template: `{{ a | ${filter} }}`, output: 'x' },
      { op: 'return', value: 'x' },
    ),
    args: () => ({ a: 1 }),
    expected: { error: 'unknown_function|reserved_name|bad_template' },
    why: 'the table of filters has no inherited names',
  })),
  ...['constructor', '__proto__', 'toString', 'this'].map((name): LanguageAttack => ({
    title: `macro variable ${name}`,
    program: returns(`[1].map(${name}, 1)`),
    expected: { error: 'reserved_name|bad_name|bad_token' },
    why: 'no variable of any kind may have such a name',
  })),
  ...['as', 'acc', 'output'].map((field): LanguageAttack => ({
    title: `fold with ${field} __proto__`,
    program: steps(
      {
        op: 'fold',
        list: '[1]',
        as: 'i',
        acc: 's',
        init: '0',
        value: '1',
        output: 'x',
        [field]: '__proto__',
      },
      { op: 'return', value: '1' },
    ),
    expected: { error: 'reserved_name' },
    why: 'no variable of any kind may have such a name',
  })),
  {
    title: 'sort with as constructor',
    program: steps(
      { op: 'sort', list: '[1]', as: 'constructor', by: '1', output: 'x' },
      { op: 'return', value: 'x' },
    ),
    expected: { error: 'reserved_name' },
    why: 'no variable of any kind may have such a name',
  },
  ...['__proto__', 'constructor', 'toString'].map((key): LanguageAttack => ({
    title: `lookup with keyFrom giving ${key} and a default`,
    program: steps(
      { op: 'lookup', table: 't', keyFrom: 'k', default: 'none', output: 'x' },
      { op: 'return', value: 'x' },
    ),
    args: () => ({ t: { gold: 1 }, k: key }),
    expected: { value: 'none' },
    why: 'an inherited key is no key, so the default counts',
  })),
  ...['1.5', '-1', '4294967296', '"1e0"', '"01"', '" 0"', '"length"', '"-0"'].map(
    (key): LanguageAttack => ({
      title: `lookup in an array with keyFrom ${key}`,
      program: steps(
        { op: 'lookup', table: 't', keyFrom: key, output: 'x' },
        { op: 'return', value: 'x' },
      ),
      args: () => ({ t: [5, 6] }),
      expected: { error: 'unknown_key|type' },
      why: 'an index is a whole number in plain digits',
    }),
  ),
  {
    title: 'an argument with an own __proto__ key, from JSON',
    program: returns('a.polluted'),
    args: () => ({ a: json('{"__proto__": {"polluted": 1}}') }),
    expected: { error: 'unknown_key|bad_argument' },
    why: 'an own key is data and not a prototype',
  },
  {
    title: 'an argument with an own __proto__ key, handed back',
    program: returns('a'),
    args: () => ({ a: json('{"__proto__": {"polluted": 1}}') }),
    expected: { error: 'bad_argument' },
    why: 'merged into another object it would change the prototype',
  },
  {
    title: 'an own __proto__ key deep inside a list that is mapped',
    program: returns('a.map(i, i)'),
    args: () => ({ a: [{ b: json('{"__proto__": {"polluted": 1}}') }] }),
    expected: { error: 'bad_argument' },
    why: 'it is found at every level',
  },
  {
    title: 'arguments that have an own __proto__ key themselves',
    program: returns('polluted'),
    args: () => json('{"__proto__": {"polluted": 1}}') as Record<string, unknown>,
    expected: { error: 'unknown_variable|bad_argument|reserved_name|bad_name' },
    why: 'it must not become the prototype of the variables',
  },
  ...[
    [
      'tables',
      '{"tables": {"t": {"__proto__": {"a": 1}}}, "steps": [{"op": "return", "value": "t.a"}]}',
    ],
    [
      'table names',
      '{"tables": {"__proto__": {"a": 1}}, "steps": [{"op": "return", "value": "a"}]}',
    ],
    [
      'inputs',
      '{"inputs": {"__proto__": {"type": "number"}}, "steps": [{"op": "return", "value": "1"}]}',
    ],
    [
      'a default',
      '{"inputs": {"a": {"type": "object", "default": {"__proto__": {"b": 1}}}}, "steps": [{"op": "return", "value": "a.b"}]}',
    ],
    [
      'declared fields',
      '{"inputs": {"a": {"type": "object", "fields": {"__proto__": {"type": "number"}}, "default": {}}}, "steps": [{"op": "return", "value": "1"}]}',
    ],
    ['returned fields', '{"steps": [{"op": "return", "fields": {"__proto__": "1"}}]}'],
    [
      'a lookup default',
      '{"tables": {"t": {}}, "steps": [{"op": "lookup", "table": "t", "key": "k", "default": {"__proto__": {"a": 1}}, "output": "x"}, {"op": "return", "value": "x.a"}]}',
    ],
    ['a step', '{"steps": [{"op": "return", "value": "1", "__proto__": {"a": 1}}]}'],
    [
      'the program',
      '{"steps": [{"op": "return", "value": "1"}], "__proto__": {"numbers": "decimal"}}',
    ],
  ].map(([place, text]): LanguageAttack => ({
    title: `an own __proto__ key in ${place}`,
    run: () => evaluate(json(text ?? ''), {}),
    expected: { error: 'bad_program|reserved_name|bad_name' },
    why: 'a program is data from outside, and such a key has no use in it',
  })),
  {
    title: 'a table called constructor',
    program: returns('1', { tables: { constructor: { a: 1 } } }),
    expected: { error: 'reserved_name' },
    why: 'no variable of any kind may have such a name',
  },
  {
    title: 'returned fields with names of Object.prototype',
    program: steps({ op: 'return', fields: { constructor: '1', toString: '"t"', '': '2' } }),
    expected: { value: { constructor: 1, toString: 't', '': 2 } },
    why: 'they are own fields of a plain object, which is harmless',
  },
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((op): LanguageAttack => ({
    title: `op ${op}`,
    program: steps({ op }, { op: 'return', value: '1' }),
    expected: { error: 'unknown_op' },
    why: 'the table of ops has no inherited names',
  })),
  ...[
    { numbers: 'toString' },
    { rounding: 'constructor' },
    { output: { type: 'constructor' } },
    { inputs: { a: { type: '__proto__', default: 1 } } },
    { inputs: { a: { type: 'string', format: 'toString', default: '' } } },
    { constructor: 1 },
    { toString: 1 },
  ].map((more): LanguageAttack => ({
    title: `program with ${JSON.stringify(more)}`,
    program: returns('1', more),
    expected: { error: 'bad_program' },
    why: 'no table of words has inherited entries',
  })),
]
