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
  let next = 0
  for (;;) {
    const word = code[pc++ & 32_767]!
    const a = (word >>> 8) & 4_095
    const b = word >>> 20
    const x = numbers[a]!
    const y = numbers[b]!
    switch (word & 255) {
      case 0:
        A = x + y
        continue
      case 1:
        A = x - y
        continue
      case 2:
        A = x * y
        continue
      case 3:
        A = x / y
        continue
      case 4:
        A = x % y
        continue
      case 5:
        B = A
        A = x + y
        continue
      case 6:
        B = A
        A = x - y
        continue
      case 7:
        B = A
        A = x * y
        continue
      case 8:
        B = A
        A = x / y
        continue
      case 9:
        B = A
        A = x % y
        continue
      case 10:
        A = A + x
        continue
      case 11:
        A = A - x
        continue
      case 12:
        A = A * x
        continue
      case 13:
        A = A / x
        continue
      case 14:
        A = A % x
        continue
      case 16:
        A = x - A
        continue
      case 18:
        A = x / (A - A + A)
        continue
      case 19:
        A = x % (A - A + A)
        continue
      case 20:
        A = B + A
        continue
      case 21:
        A = B - A
        continue
      case 22:
        A = B * A
        continue
      case 23:
        A = B / (A - A + A)
        continue
      case 24:
        A = B % (A - A + A)
        continue
      case 25:
        A = A + (x + y)
        continue
      case 26:
        A = A + (x - y)
        continue
      case 27:
        A = A + x * y
        continue
      case 28:
        A = A + x / y
        continue
      case 29:
        A = A + (x % y)
        continue
      case 30:
        A = A - (x + y)
        continue
      case 31:
        A = A - (x - y)
        continue
      case 32:
        A = A - x * y
        continue
      case 33:
        A = A - x / y
        continue
      case 34:
        A = A - (x % y)
        continue
      case 35:
        A = A * (x + y)
        continue
      case 36:
        A = A * (x - y)
        continue
      case 37:
        A = A * (x * y)
        continue
      case 38:
        A = A * (x / y)
        continue
      case 39:
        A = A * (x % y)
        continue
      case 40:
        A = A / ((r = x + y) - r + r)
        continue
      case 41:
        A = A / ((r = x - y) - r + r)
        continue
      case 42:
        A = A / ((r = x * y) - r + r)
        continue
      case 43:
        A = A / ((r = x / y) - r + r)
        continue
      case 44:
        A = A / ((r = x % y) - r + r)
        continue
      case 45:
        A = A % ((r = x + y) - r + r)
        continue
      case 46:
        A = A % ((r = x - y) - r + r)
        continue
      case 47:
        A = A % ((r = x * y) - r + r)
        continue
      case 48:
        A = A % ((r = x / y) - r + r)
        continue
      case 49:
        A = A % ((r = x % y) - r + r)
        continue
      case 50:
        A = A + x + y
        continue
      case 51:
        A = A + x - y
        continue
      case 52:
        A = (A + x) * y
        continue
      case 53:
        A = (A + x) / y
        continue
      case 54:
        A = (A + x) % y
        continue
      case 55:
        A = A - x + y
        continue
      case 56:
        A = A - x - y
        continue
      case 57:
        A = (A - x) * y
        continue
      case 58:
        A = (A - x) / y
        continue
      case 59:
        A = (A - x) % y
        continue
      case 60:
        A = A * x + y
        continue
      case 61:
        A = A * x - y
        continue
      case 62:
        A = A * x * y
        continue
      case 63:
        A = (A * x) / y
        continue
      case 64:
        A = (A * x) % y
        continue
      case 65:
        A = A / x + y
        continue
      case 66:
        A = A / x - y
        continue
      case 67:
        A = (A / x) * y
        continue
      case 68:
        A = A / x / y
        continue
      case 69:
        A = (A / x) % y
        continue
      case 70:
        A = (A % x) + y
        continue
      case 71:
        A = (A % x) - y
        continue
      case 72:
        A = (A % x) * y
        continue
      case 73:
        A = (A % x) / y
        continue
      case 74:
        A = (A % x) % y
        continue
      case 75:
        A = B + (x + A)
        continue
      case 76:
        A = B + (x - A)
        continue
      case 77:
        A = B + x * A
        continue
      case 78:
        A = B + x / (A - A + A)
        continue
      case 79:
        A = B + (x % (A - A + A))
        continue
      case 80:
        A = B - (x + A)
        continue
      case 81:
        A = B - (x - A)
        continue
      case 82:
        A = B - x * A
        continue
      case 83:
        A = B - x / (A - A + A)
        continue
      case 84:
        A = B - (x % (A - A + A))
        continue
      case 85:
        A = B * (x + A)
        continue
      case 86:
        A = B * (x - A)
        continue
      case 87:
        A = B * (x * A)
        continue
      case 88:
        A = B * (x / (A - A + A))
        continue
      case 89:
        A = B * (x % (A - A + A))
        continue
      case 90:
        A = B / ((r = x + A) - r + r)
        continue
      case 91:
        A = B / ((r = x - A) - r + r)
        continue
      case 92:
        A = B / ((r = x * A) - r + r)
        continue
      case 93:
        A = B / ((r = x / (A - A + A)) - r + r)
        continue
      case 94:
        A = B / ((r = x % (A - A + A)) - r + r)
        continue
      case 95:
        A = B % ((r = x + A) - r + r)
        continue
      case 96:
        A = B % ((r = x - A) - r + r)
        continue
      case 97:
        A = B % ((r = x * A) - r + r)
        continue
      case 98:
        A = B % ((r = x / (A - A + A)) - r + r)
        continue
      case 99:
        A = B % ((r = x % (A - A + A)) - r + r)
        continue
      case 101:
        A = B + (A - x)
        continue
      case 103:
        A = B + A / x
        continue
      case 104:
        A = B + (A % x)
        continue
      case 106:
        A = B - (A - x)
        continue
      case 108:
        A = B - A / x
        continue
      case 109:
        A = B - (A % x)
        continue
      case 111:
        A = B * (A - x)
        continue
      case 113:
        A = B * (A / x)
        continue
      case 114:
        A = B * (A % x)
        continue
      case 116:
        A = B / ((r = A - x) - r + r)
        continue
      case 118:
        A = B / ((r = A / x) - r + r)
        continue
      case 119:
        A = B / ((r = A % x) - r + r)
        continue
      case 121:
        A = B % ((r = A - x) - r + r)
        continue
      case 123:
        A = B % ((r = A / x) - r + r)
        continue
      case 124:
        A = B % ((r = A % x) - r + r)
        continue
      case 125:
        A = x
        continue
      case 126:
        B = A
        A = x
        continue
      case 127:
        B = A
        continue
      case 128:
        numbers[a] = B
        continue
      case 129:
        B = x
        continue
      case 130:
        A = -A
        continue
      case 131:
        r = pool[a]!() as number
        A = typeof r === 'number' ? r : Number.NaN
        continue
      case 132:
        if (finite(A)) numbers[a] = A + 0
        else giveUp('no_number')
        continue
      case 133:
        pc = word >>> 8
        continue
      case 134:
        if (x < y) pc++
        else pc = x >= y ? code[pc]! & 65_535 : choose(pc, pool)
        continue
      case 135:
        if (x <= y) pc++
        else pc = x > y ? code[pc]! & 65_535 : choose(pc, pool)
        continue
      case 136:
        if (x > y) pc++
        else pc = x <= y ? code[pc]! & 65_535 : choose(pc, pool)
        continue
      case 137:
        if (x >= y) pc++
        else pc = x < y ? code[pc]! & 65_535 : choose(pc, pool)
        continue
      case 138:
        if (x === x && y === y) pc = x === y ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 139:
        if (x === x && y === y) pc = x !== y ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 140:
        if (finite(A) && x === x) pc = A < x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 141:
        if (finite(A) && x === x) pc = A <= x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 142:
        if (finite(A) && x === x) pc = A > x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 143:
        if (finite(A) && x === x) pc = A >= x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 144:
        if (finite(A) && x === x) pc = A === x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 145:
        if (finite(A) && x === x) pc = A !== x ? pc + 1 : code[pc]! & 65_535
        else pc = choose(pc, pool)
        continue
      case 146:
        numbers[a] = A - A + A
        continue
      case 147:
        A = pool[a]!(A) as number
        continue
      case 152:
        if (test(pool[a]!()) !== (b === 1)) pc++
        else pc = code[pc]!
        continue
      case 153:
        if (x === x || test(values[a]) !== (b === 1)) pc = x === x ? giveUp('type') : pc + 1
        else pc = code[pc]!
        continue
      case 154:
        writeSlot(a, pool[b]!())
        continue
      case 155:
        return finite(A) ? A + 0 : giveUp('no_number')
      case 156:
        return x === x ? x : readSlot(a)
      case 157:
        return pool[a]!()
      case 158:
        return giveUp('check_failed')
      case 159:
        return true
      case 160:
        return false
      case 161:
        A = Math.abs(A)
        continue
      case 162:
        A = Math.floor(A)
        continue
      case 163:
        A = Math.ceil(A)
        continue
      case 164:
        A = Math.trunc(A)
        continue
      case 165:
        A = Math.sqrt(A)
        continue
      case 166:
        A = A - A + Math.sign(A)
        continue
      case 167:
        A =
          finite(A) && finite(B)
            ? a === 0
              ? Math.min(A, B)
              : a === 1
                ? Math.max(A, B)
                : B ** A
            : Number.NaN
        continue
      case 168:
        numbers[a] = y
        values[a] = values[b]
        continue
      case 175:
        A = x + y + numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 176:
        A = x + y - numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 177:
        A = (x + y) * numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 178:
        A = (x + y) / numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 179:
        A = (x + y) % numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 180:
        A = x - y + numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 181:
        A = x - y - numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 182:
        A = (x - y) * numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 183:
        A = (x - y) / numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 184:
        A = (x - y) % numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 185:
        A = x * y + numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 186:
        A = x * y - numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 187:
        A = x * y * numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 188:
        A = (x * y) / numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 189:
        A = (x * y) % numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 190:
        A = x / y + numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 191:
        A = x / y - numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 192:
        A = (x / y) * numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 193:
        A = x / y / numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 194:
        A = (x / y) % numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 195:
        A = (x % y) + numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 196:
        A = (x % y) - numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 197:
        A = (x % y) * numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 198:
        A = (x % y) / numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
      case 199:
        A = (x % y) % numbers[(next = code[pc++ & 32_767]!) & 4_095]!
        break
    }
    // Operations on three slots store at once what they gave, if the next word tells where.
    if (next > 4_095) {
      if (!finite(A)) giveUp('no_number')
      numbers[next >>> 12] = A + 0
    }
  }
}

function test(value: unknown): boolean {
  return typeof value === 'boolean' ? value : giveUp('type')
}

/** Where to go on after a comparison of what are not two numbers. */
function choose(pc: number, pool: readonly ValueCode[]): number {
  const word = code[pc]!
  const other = word >>> 16
  return other === 0 ? giveUp('type') : test(pool[other]!()) ? pc + 1 : word & 65_535
}
