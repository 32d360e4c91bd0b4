/** Ids whose random part is made at one go. */
const batchSize = 512

/** Of `-vxxx-xxxxxxxxxxxx`, which ends an id; `v` is 8, 9, a or b. */
const tailLength = 18

/** How far the clock may step back before ids follow it instead of staying in order. */
const maxBackstepMs = 10_000

/** The last moment that fits an id, short of what is pushed ahead. */
const maxTimestamp = 0xffff_ffff_0000

const dash = 0x2d
const digitCodes: Uint8Array = new TextEncoder().encode('0123456789abcdef')
const decoder = new TextDecoder()
const randomBytes = new Uint8Array(batchSize * 10)
const tailCodes = new Uint8Array(batchSize * tailLength)

/** Three hexadecimal digits for each value of the counter. */
const counterTexts: readonly string[] = Array.from({ length: 0x1000 }, (_, value) =>
  value.toString(16).padStart(3, '0'),
)

// One flat text that ids take slices of: putting each together from its digits costs several times as much.
let tails = ''
let position = batchSize
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
  if (position === batchSize) refill()
  advance(timestamp)
  const start = position * tailLength
  position += 1
  return prefix + (counterTexts[counter] ?? '') + tails.slice(start, start + tailLength)
}

// The 12 bits after the version count within a millisecond; when they run out the timestamp is pushed ahead by one.
function advance(timestamp: number): void {
  // What is no number, or needs more than 48 bits, is no time: ids stay well formed all the same.
  const time = Number.isNaN(timestamp) ? lastTimestamp : Math.floor(timestamp)
  const now = Math.min(Math.max(0, time), maxTimestamp)
  if (now > lastTimestamp || lastTimestamp - now > maxBackstepMs) startMillisecond(now)
  else if (counter < 0xfff) counter += 1
  else startMillisecond(lastTimestamp + 1)
}

function startMillisecond(timestamp: number): void {
  lastTimestamp = timestamp
  const text = timestamp.toString(16).padStart(12, '0')
  prefix = `${text.slice(0, 8)}-${text.slice(8)}-7`
  // Starts in the lower half, so that there is room to count. These random bytes are used for nothing else.
  const at = position * 10 + 8
  counter = ((randomAt(at) << 8) | randomAt(at + 1)) & 0x7ff
}

function refill(): void {
  crypto.getRandomValues(randomBytes)
  for (let index = 0; index < batchSize; index += 1) writeTail(index)
  tails = decoder.decode(tailCodes)
  position = 0
}

function writeTail(index: number): void {
  const at = index * tailLength
  const source = index * 10
  tailCodes[at] = dash
  writeByte(at + 1, 0x80 | (randomAt(source) & 0x3f))
  writeByte(at + 3, randomAt(source + 1))
  tailCodes[at + 5] = dash
  for (let byte = 0; byte < 6; byte += 1) writeByte(at + 6 + byte * 2, randomAt(source + 2 + byte))
}

function writeByte(at: number, byte: number): void {
  tailCodes[at] = digitCodes[byte >> 4] ?? 0
  tailCodes[at + 1] = digitCodes[byte & 0xf] ?? 0
}

function randomAt(index: number): number {
  return randomBytes[index] ?? 0
}
