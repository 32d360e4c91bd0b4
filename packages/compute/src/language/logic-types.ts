import type { ComputeLogic } from './compute-logic.ts'

/** The type of a value with this declaration. */
type ValueOf<Declaration> = Declaration extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Declaration extends { readonly type: infer Type }
    ? Type extends 'number' | 'integer'
      ? number
      : Type extends 'string'
        ? string
        : Type extends 'boolean'
          ? boolean
          : Type extends 'array'
            ? (Declaration extends { readonly items: infer Items } ? ValueOf<Items> : unknown)[]
            : Type extends 'object'
              ? Declaration extends { readonly fields: infer Fields }
                ? { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }
                : Record<string, unknown>
              : unknown
    : unknown

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

type InputOf<Declaration> =
  | DeepReadonly<ValueOf<Declaration>>
  | (Declaration extends { readonly default: null } ? null : never)

type Simplified<Value> = { [Name in keyof Value]: Value[Name] }

type ArgumentsFor<Inputs> = Simplified<
  {
    readonly [
      Name in keyof Inputs as Inputs[Name] extends { readonly default: unknown } ? never : Name
    ]: InputOf<Inputs[Name]>
  } & {
    readonly [
      Name in keyof Inputs as Inputs[Name] extends { readonly default: unknown } ? Name : never
    ]?: InputOf<Inputs[Name]> | undefined
  }
>

/** The arguments of a program: typed where it is a literal that declares its inputs. */
export type ArgumentsOf<Logic extends ComputeLogic> = Logic extends {
  readonly inputs: infer Inputs
}
  ? ArgumentsFor<Inputs>
  : Readonly<Record<string, unknown>>

/** The result of a program: typed where it is a literal that declares its output. */
export type ResultOf<Logic extends ComputeLogic> = Logic extends { readonly output: infer Output }
  ? ValueOf<Output>
  : unknown
