const hexadecimal: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

const poolBytes = 4_096
const pool = new Uint8Array(poolBytes)
let poolPosition = poolBytes

/** How far the clock may step back before ids follow it instead of staying in order. */
const maxBackstepMs = 10_000

let lastTimestamp = -1
let counter = 0
let prefix = ''

/**
 * Makes UUIDv7 ids that sort by creation, also within one millisecond and across a clock that steps back by less than
 * ten seconds. Random bits come from WebCrypto, drawn in batches.
 *
 * @param timestamp milliseconds since the epoch.
 */
export function createCallId(timestamp: number = Date.now()): string {
  if (poolPosition + 8 > poolBytes) refillPool()
  advance(timestamp)
  const at = poolPosition
  poolPosition += 8
  const high = counter >> 8
  return (
    prefix +
    digit(0x70 | high) +
    digit(counter & 0xff) +
    '-' +
    digit(0x80 | (random(at) & 0x3f)) +
    digit(random(at + 1)) +
    '-' +
    digit(random(at + 2)) +
    digit(random(at + 3)) +
    digit(random(at + 4)) +
    digit(random(at + 5)) +
    digit(random(at + 6)) +
    digit(random(at + 7))
  )
}

// The 12 bits after the version count within a millisecond; when they run out the timestamp is pushed ahead by one.
function advance(timestamp: number): void {
  const now = Math.max(0, Math.floor(timestamp))
  if (now > lastTimestamp || lastTimestamp - now > maxBackstepMs) {
    startMillisecond(now)
  } else if (counter < 0xfff) {
    counter += 1
  } else {
    startMillisecond(lastTimestamp + 1)
  }
}

function startMillisecond(timestamp: number): void {
  lastTimestamp = timestamp
  // Starts in the lower half, so that there is room to count.
  counter = ((random(poolPosition) << 8) | random(poolPosition + 1)) & 0x7ff
  const text = timestamp.toString(16).padStart(12, '0')
  prefix = `${text.slice(0, 8)}-${text.slice(8)}-`
}

function refillPool(): void {
  crypto.getRandomValues(pool)
  poolPosition = 0
}

function random(position: number): number {
  return pool[position] ?? 0
}

function digit(byte: number): string {
  return hexadecimal[byte] ?? ''
}
