import { type ToolContext, silentLogger } from '@toolcrib/registry'
import type { SandboxCallFacts } from '@toolcrib/sandbox'

const maxLoggedMessages = 100
const maxLoggedLength = 2_000

/** Hands what a guest logged to the logger of its call: the first 100 messages, of each 2,000 characters. */
export function passOnLogs(
  { droppedLogs, logs }: Pick<SandboxCallFacts, 'logs' | 'droppedLogs'>,
  { callId, logger = silentLogger, toolName }: Partial<ToolContext>,
): void {
  // The text of a guest is data, never the message of a log line.
  for (const { level, message } of logs.slice(0, maxLoggedMessages))
    logger[level]({ callId, toolName, text: message.slice(0, maxLoggedLength) }, 'A made tool says')
  const dropped = droppedLogs + Math.max(0, logs.length - maxLoggedMessages)
  if (dropped > 0)
    logger.warn({ callId, toolName, dropped }, 'Messages of a made tool were dropped')
}
