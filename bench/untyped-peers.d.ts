declare module 'jexl' {
  const jexl: {
    readonly compile: (text: string) => { readonly evalSync: (values: object) => unknown }
  }
  export default jexl
}
declare module 'json-logic-js' {
  const jsonLogic: { readonly apply: (rule: object, values: object) => unknown }
  export default jsonLogic
}
declare module 'subscript/justin' {
  const justin: (text: string) => (values: object) => unknown
  export default justin
}
