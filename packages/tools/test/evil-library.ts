/**
 * A library of WebAssembly that runs JavaScript when the embedded machine's loader loads it: the loader evaluates the
 * text that an export named `__em_js__…` points to. Without a seal it works.
 */
export function buildEvilLibrary(javaScript: string): Buffer {
  const text = Buffer.from(`(void)<::>{}; ${javaScript}\0`)
  return Buffer.concat([
    Buffer.from('\0asm\x01\0\0\0', 'latin1'),
    section(0, [name('dylink.0'), bytes(1, 5), leb(4096), bytes(2, 0, 0)]),
    section(1, [bytes(1, 0x60, 0, 1, 0x7f)]),
    section(2, [
      bytes(2),
      name('env'),
      name('memory'),
      bytes(2, 0, 0),
      name('env'),
      name('__memory_base'),
      bytes(3, 0x7f, 0),
    ]),
    section(3, [bytes(1, 0)]),
    section(6, [bytes(1, 0x7f, 0, 0x41, 0, 0x0b)]),
    section(7, [bytes(2), name('__em_js__evil'), bytes(3, 1), name('evil'), bytes(0, 0)]),
    section(10, [bytes(1, 4, 0, 0x41, 1, 0x0b)]),
    section(11, [bytes(1, 0, 0x23, 0, 0x0b), leb(text.length), text]),
  ])
}

function bytes(...values: number[]): Buffer {
  return Buffer.from(values)
}

function leb(value: number): Buffer {
  const rest = Math.floor(value / 128)
  return rest === 0 ? bytes(value) : Buffer.concat([bytes((value % 128) + 128), leb(rest)])
}

function name(text: string): Buffer {
  return Buffer.concat([leb(text.length), Buffer.from(text)])
}

function section(id: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([bytes(id), leb(body.length), body])
}
