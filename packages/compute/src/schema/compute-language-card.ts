/**
 * The whole language on one page, to be put into a prompt for a model that is to write programs: under 1,350 tokens
 * as `o200k_base` counts them.
 */
export const computeLanguageCard: string = `# Compute programs
A program is JSON {description?, inputs?, output?, tables?, numbers?, rounding?, steps}. Steps run in order; every way through ends in return. No loops, own functions, clock, randomness or regex.

## Steps ("op" and fields)
math {expression, output}: a number
set {value, output}: any value
lookup {table, key | keyFrom, default?, output}: one entry of a variable or table. key is the literal key, for an array the index in digits; keyFrom an expression; default a JSON value used for a missing key
format {template, output}: a string
condition {if, then, else?}: then, else: lists of steps. A bare variable in if: anything but false 0 "" null counts as true
switch {cases: [{when, then}], else?}: first true case
fold {list, as, acc, init, value, output}: acc starts as init; for each item, named by as, acc becomes value
sort {list, as?, by?, desc?, output}: by: expression over the item named by as
check {that, message}: stops with the template message unless that is true
return {value} or {fields: {name: expression}}
output, as, acc, table are names of letters, digits and _; key, default, template, message as said; all else is an expression in a string.

## Expressions
Loosest first: a ? b : c, ||, &&, one of < <= > >= == != in, + -, * / %, ! -
Literals: 1.5 1e3 "x" 'x' true false null [1, 2]. Paths: order.lines[0].price, order["unit price"], rates[country]. x.f(y) is f(x, y).
No conversions: "a" + 1 is an error, write "a" + string(1). + adds numbers, joins strings or arrays. < compares two numbers or two strings. == compares deeply. Conditions are true or false only.
A missing field or index is an error; ask has(order.note), "key" in object, x in array first. Indexes start at 0.

n number, s string, a array, d date "YYYY-MM-DD", ? optional:
abs floor ceil trunc sign sqrt (n), pow(n, n), round(n, digits?, "half_up"|"half_even"?)
min max sum avg (a) or (n, n, …), count(a), size(s|a|object)
contains startsWith endsWith (s, s), lower upper trim (s), substring(s, start, end?), replace(s, from, to), split(s, separator), join(a, separator?), indexOf(s, s, from?), string(n|boolean), number(s)
sort(a, "asc"|"desc"?), reverse distinct (a), slice(a, start, end?)
date(s), date(year, month, day), addDays addMonths (d, n), daysBetween(d, d), year month day weekday (d): Monday is 1
To strings: fixed(n, digits?), money(n, symbol?, digits?), percent(n, digits?): 0.2 is "20%", thousands(n, separator?), pad(s|n, width, fill?, "start"|"end"?)
Macros: map(a, x, expression), map(a, x, condition, expression), filter all exists exists_one (a, x, condition)

## Templates
"Total: {{total | money("€")}}": x | f(y) is f(x, y), every function works so. null, arrays and objects have no text.

## Declarations
inputs {name: {type, …}}: then these are all arguments; one without default must be passed. Undeclared: each name read before it is assigned is an argument.
type: number integer string boolean array object any. Also description, enum; min, max of numbers; format "date", maxLength of strings; maxItems, items of arrays; fields of objects; default of inputs. output {type, …} likewise.
tables {name: object or array}: constants. numbers "decimal": exact, for money (default "float"). rounding "half_up" or "half_even".

## Mistakes to avoid
Text in an expression needs quotes of its own: "status == 'paid'". Write == && || pow(a, b), not = and or **. No a < b < c.
A variable assigned in only one branch is unknown after it: assign it before, or in both.
return value "total" is an expression; for a text write "'total'".
Limits: 1,000 steps, 2,000 variables, 4,000 characters in an expression, 100 levels of nesting, 100,000 items or characters, 1,000,000 run units (items × size of the expression).

## Examples
{"inputs":{"kg":{"type":"number","min":0},"country":{"type":"string"}},"tables":{"rates":{"de":2.5}},"numbers":"decimal","steps":[{"op":"lookup","table":"rates","keyFrom":"country","default":5,"output":"rate"},{"op":"math","expression":"kg * rate + 5","output":"cost"},{"op":"condition","if":"kg > 10","then":[{"op":"math","expression":"cost * 0.9","output":"cost"}]},{"op":"return","fields":{"cost":"round(cost, 2)","text":"'Cost ' + money(cost)"}}]}
{"kg":12,"country":"de"} gives {"cost":31.5,"text":"Cost $31.50"}
{"steps":[{"op":"check","that":"count(items) > 0","message":"No items"},{"op":"sort","list":"items.filter(i, i.qty > 0)","as":"i","by":"i.price","output":"cheap"},{"op":"return","value":"cheap[0].name"}]}
{"items":[{"name":"a","qty":1,"price":3},{"name":"b","qty":2,"price":2}]} gives "b"

## Errors
Each has code, path (steps[1].then[0].expression), offset in that text, snippet, message and hint. Mend every one as its hint says and send the whole program again. Warnings may stay.`
