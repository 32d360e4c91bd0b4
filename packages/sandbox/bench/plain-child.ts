import { servePlainly, type ToPlain } from './plain-host.ts'

servePlainly(
  (message) => process.send?.(message),
  (take) => process.on('message', (message) => take(message as ToPlain)),
)
