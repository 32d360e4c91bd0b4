import type { JsonValue } from '@toolcrib/registry'

/** Compares with what a parameter has, where a fixed value is not enough; one operation, such as `{ gte: 2 }`. */
export interface ConditionTest {
  readonly _cnd: Readonly<Record<string, JsonValue>>
}

/** By parameter: the values of which it must have one. `/name` begins at the top of the parameters, `@version` is the node's. */
export type ConditionClauses = Readonly<
  Record<string, readonly (string | number | boolean | null | ConditionTest)[]>
>

/** When n8n reads a parameter: every clause of `show` holds, and none of `hide`. */
export interface ReadCondition {
  readonly show?: ConditionClauses
  readonly hide?: ConditionClauses
}

/**
 * How n8n takes a parameter:
 *
 * - `value`: as it stands, whatever it is;
 * - `literal`: the same, and an expression in it is taken as text;
 * - `locator`: a value, or an object with its `mode` and `value`;
 * - `mapper`: columns and their values, an object with `mappingMode` and `value`;
 * - `collection`: an object with some of `parameters`;
 * - `groups`: an object with some of `groups`, each an object;
 * - `lists`: an object with some of `groups`, each a list of objects;
 * - `filter`: conditions of the If node from version 2 on, and of nodes like it;
 * - `assignments`: fields of the Set node from version 3.3 on, and of nodes like it.
 */
export type ParameterForm =
  | 'value'
  | 'literal'
  | 'locator'
  | 'mapper'
  | 'collection'
  | 'groups'
  | 'lists'
  | 'filter'
  | 'assignments'

/** A parameter that a node type reads in some of its versions. A name may be there several times, with other conditions. */
export interface ParameterFacts {
  readonly name: string
  readonly form: ParameterForm
  /** @default always */
  readonly condition?: ReadCondition
  /** What it has when it is not set; known of those that conditions name, and of switches. */
  readonly preset?: JsonValue
  /** The values that it may have; known below the top of common nodes only. */
  readonly values?: readonly (string | number | boolean)[]
  /** Of a `collection`. */
  readonly parameters?: readonly ParameterFacts[]
  /** Of `groups` and `lists`. */
  readonly groups?: Readonly<Record<string, readonly ParameterFacts[]>>
}
