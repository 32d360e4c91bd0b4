/* oxlint-disable max-lines -- one loop is what makes it fast */
import * as frame from './frame.ts'

// Constants of this module, whose addresses become part of the machine code; those of another module do not.
const { code, giveUp, numbers, readSlot, values, writeSlot } = frame

/** Something that is worked out by a function, because it is no plain arithmetic; some take the number at hand. */
export type ValueCode = (value?: number) => unknown

const finite = (value: number): boolean => value - value === 0

/**
 * Runs code from a place on until something is returned.
 *
 * A word holds an operation (8 bits) and two slots, `x` and `y` (12 bits each). There are two registers: `A` is what
 * was worked out last, `B` what waits for it. Frequent pairs of operations are one, because finding out what to do next
 * costs more than doing it. Infinity and NaN run through: a divisor that is not finite makes NaN, and what is stored,
 * returned or compared is looked at. The numbers of the operations are literals, or V8 would make no jump table.
 *
 * @param pc - index of the first word
 * @param pool - the functions that the code calls
 */
export function execute(pc: number, pool: readonly ValueCode[]): unknown {
  let A = 0
  let B = 0
  let r = 0
  for (;;) {
    const word = code[pc++ & 32_767]!
    const a = (word >>> 8) & 4_095
    const b = word >>> 20
    const x = numbers[a]!
    const y = numbers[b]!
    switch (word & 255) {
      case 0:
        A = x + y
        break
      case 1:
        A = x - y
        break
      case 2:
        A = x * y
        break
      case 3:
        A = x / y
        break
      case 4:
        A = x % y
        break
      case 5:
        B = A
        A = x + y
        break
      case 6:
        B = A
        A = x - y
        break
      case 7:
        B = A
        A = x * y
        break
      case 8:
        B = A
        A = x / y
        break
      case 9:
        B = A
        A = x % y
        break
      case 10:
        A = A + x
        break
      case 11:
        A = A - x
        break
      case 12:
        A = A * x
        break
      case 13:
        A = A / x
        break
      case 14:
        A = A % x
        break
      case 16:
        A = x - A
        break
      case 18:
        A = x / (A - A + A)
        break
      case 19:
        A = x % (A - A + A)
        break
      case 20:
        A = B + A
        break
      case 21:
        A = B - A
        break
      case 22:
        A = B * A
        break
      case 23:
        A = B / (A - A + A)
        break
      case 24:
        A = B % (A - A + A)
        break
      case 25:
        A = A + (x + y)
        break
      case 26:
        A = A + (x - y)
        break
      case 27:
        A = A + x * y
        break
      case 28:
        A = A + x / y
        break
      case 29:
        A = A + (x % y)
        break
      case 30:
        A = A - (x + y)
        break
      case 31:
        A = A - (x - y)
        break
      case 32:
        A = A - x * y
        break
      case 33:
        A = A - x / y
        break
      case 34:
        A = A - (x % y)
        break
      case 35:
        A = A * (x + y)
        break
      case 36:
        A = A * (x - y)
        break
      case 37:
        A = A * (x * y)
        break
      case 38:
        A = A * (x / y)
        break
      case 39:
        A = A * (x % y)
        break
      case 40:
        A = A / ((r = x + y) - r + r)
        break
      case 41:
        A = A / ((r = x - y) - r + r)
        break
      case 42:
        A = A / ((r = x * y) - r + r)
        break
      case 43:
        A = A / ((r = x / y) - r + r)
        break
      case 44:
        A = A / ((r = x % y) - r + r)
        break
      case 45:
        A = A % ((r = x + y) - r + r)
        break
      case 46:
        A = A % ((r = x - y) - r + r)
        break
      case 47:
        A = A % ((r = x * y) - r + r)
        break
      case 48:
        A = A % ((r = x / y) - r + r)
        break
      case 49:
        A = A % ((r = x % y) - r + r)
        break
      case 50:
        A = A + x + y
        break
      case 51:
        A = A + x - y
        break
      case 52:
        A = (A + x) * y
        break
      case 53:
        A = (A + x) / y
        break
      case 54:
        A = (A + x) % y
        break
      case 55:
        A = A - x + y
        break
      case 56:
        A = A - x - y
        break
      case 57:
        A = (A - x) * y
        break
      case 58:
        A = (A - x) / y
        break
      case 59:
        A = (A - x) % y
        break
      case 60:
        A = A * x + y
        break
      case 61:
        A = A * x - y
        break
      case 62:
        A = A * x * y
        break
      case 63:
        A = (A * x) / y
        break
      case 64:
        A = (A * x) % y
        break
      case 65:
        A = A / x + y
        break
      case 66:
        A = A / x - y
        break
      case 67:
        A = (A / x) * y
        break
      case 68:
        A = A / x / y
        break
      case 69:
        A = (A / x) % y
        break
      case 70:
        A = (A % x) + y
        break
      case 71:
        A = (A % x) - y
        break
      case 72:
        A = (A % x) * y
        break
      case 73:
        A = (A % x) / y
        break
      case 74:
        A = (A % x) % y
        break
      case 75:
        A = B + (x + A)
        break
      case 76:
        A = B + (x - A)
        break
      case 77:
        A = B + x * A
        break
      case 78:
        A = B + x / (A - A + A)
        break
      case 79:
        A = B + (x % (A - A + A))
        break
      case 80:
        A = B - (x + A)
        break
      case 81:
        A = B - (x - A)
        break
      case 82:
        A = B - x * A
        break
      case 83:
        A = B - x / (A - A + A)
        break
      case 84:
        A = B - (x % (A - A + A))
        break
      case 85:
        A = B * (x + A)
        break
      case 86:
        A = B * (x - A)
        break
      case 87:
        A = B * (x * A)
        break
      case 88:
        A = B * (x / (A - A + A))
        break
      case 89:
        A = B * (x % (A - A + A))
        break
      case 90:
        A = B / ((r = x + A) - r + r)
        break
      case 91:
        A = B / ((r = x - A) - r + r)
        break
      case 92:
        A = B / ((r = x * A) - r + r)
        break
      case 93:
        A = B / ((r = x / (A - A + A)) - r + r)
        break
      case 94:
        A = B / ((r = x % (A - A + A)) - r + r)
        break
      case 95:
        A = B % ((r = x + A) - r + r)
        break
      case 96:
        A = B % ((r = x - A) - r + r)
        break
      case 97:
        A = B % ((r = x * A) - r + r)
        break
      case 98:
        A = B % ((r = x / (A - A + A)) - r + r)
        break
      case 99:
        A = B % ((r = x % (A - A + A)) - r + r)
        break
      case 101:
        A = B + (A - x)
        break
      case 103:
        A = B + A / x
        break
      case 104:
        A = B + (A % x)
        break
      case 106:
        A = B - (A - x)
        break
      case 108:
        A = B - A / x
        break
      case 109:
        A = B - (A % x)
        break
      case 111:
        A = B * (A - x)
        break
      case 113:
        A = B * (A / x)
        break
      case 114:
        A = B * (A % x)
        break
      case 116:
        A = B / ((r = A - x) - r + r)
        break
      case 118:
        A = B / ((r = A / x) - r + r)
        break
      case 119:
        A = B / ((r = A % x) - r + r)
        break
      case 121:
        A = B % ((r = A - x) - r + r)
        break
      case 123:
        A = B % ((r = A / x) - r + r)
        break
      case 124:
        A = B % ((r = A % x) - r + r)
        break
      case 125:
        A = x
        break
      case 126:
        B = A
        A = x
        break
      case 127:
        B = A
        break
      case 128:
        numbers[a] = B
        break
      case 129:
        B = x
        break
      case 130:
        A = -A
        break
      case 131:
        r = pool[a]!() as number
        A = typeof r === 'number' ? r : Number.NaN
        break
      case 132:
        if (finite(A)) numbers[a] = A + 0
        else giveUp()
        break
      case 133:
        pc = word >>> 8
        break
      case 134:
        if (x < y) pc++
        else pc = x >= y ? code[pc]! & 65_535 : choose(pc, pool)
        break
      case 135:
        if (x <= y) pc++
        else pc = x > y ? code[pc]! & 65_535 : choose(pc, pool)
        break
      case 136:
        if (x > y) pc++
        else pc = x <= y ? code[pc]! & 65_535 : choose(pc, pool)
        break
      case 137:
        if (x >= y) pc++
        else pc = x < y ? code[pc]! & 65_535 : choose(pc, pool)
        break
      case 138:
        if (x === x && y === y) pc = x === y ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 139:
        if (x === x && y === y) pc = x !== y ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 140:
        if (finite(A) && x === x) pc = A < x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 141:
        if (finite(A) && x === x) pc = A <= x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 142:
        if (finite(A) && x === x) pc = A > x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 143:
        if (finite(A) && x === x) pc = A >= x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 144:
        if (finite(A) && x === x) pc = A === x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 145:
        if (finite(A) && x === x) pc = A !== x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        break
      case 146:
        numbers[a] = A - A + A
        break
      case 147:
        A = pool[a]!(A) as number
        break
      case 152:
        if (test(pool[a]!()) !== (b === 1)) pc++
        else pc = code[pc]!
        break
      case 153:
        if (x === x || test(values[a]) !== (b === 1)) pc = x === x ? giveUp() : pc + 1
        else pc = code[pc]!
        break
      case 154:
        writeSlot(a, pool[b]!())
        break
      case 155:
        return finite(A) ? A + 0 : giveUp()
      case 156:
        return x === x ? x : readSlot(a)
      case 157:
        return pool[a]!()
      case 158:
        return giveUp()
      case 159:
        return true
      case 160:
        return false
      case 161:
        A = Math.abs(A)
        break
      case 162:
        A = Math.floor(A)
        break
      case 163:
        A = Math.ceil(A)
        break
      case 164:
        A = Math.trunc(A)
        break
      case 165:
        A = Math.sqrt(A)
        break
      case 166:
        A = A - A + Math.sign(A)
        break
      case 167:
        A =
          finite(A) && finite(B)
            ? a === 0
              ? Math.min(A, B)
              : a === 1
                ? Math.max(A, B)
                : B ** A
            : Number.NaN
        break
      case 168:
        numbers[a] = y
        values[a] = values[b]
        break
    }
  }
}

function test(value: unknown): boolean {
  return typeof value === 'boolean' ? value : giveUp()
}

/** Where to go on after a comparison of what are not two numbers. */
function choose(pc: number, pool: readonly ValueCode[]): number {
  const word = code[pc]!
  const other = word >>> 16
  return other === 0 ? giveUp() : test(pool[other]!()) ? pc + 1 : word & 65_535
}
