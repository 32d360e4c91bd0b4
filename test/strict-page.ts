import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

const executablePath = findChromium()

/** Whether a browser was found. In CI there must be one. */
export const hasChromium = executablePath !== undefined
export const requiresChromium = process.env['CI'] !== undefined

/** What a page left in `globalThis.outcome`, and what it complained about. */
export interface PageRun {
  readonly outcome: unknown
  readonly problems: readonly string[]
}

/** Serves a page with a policy under which no code can be made from text. */
async function servePage(script: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'")
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><meta charset="utf-8"><title>test</title><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Bundles a script and runs it in Chromium, in a page with a strict content security policy. */
export async function runInStrictPage(entryPoint: string): Promise<PageRun> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    charset: 'ascii',
    logLevel: 'error',
    conditions: ['@toolcrib/source'],
  })
  const page = await servePage(outputFiles[0]?.text ?? '')
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  try {
    const tab = await browser.newPage()
    const problems: string[] = []
    tab.on('pageerror', (error) => problems.push(error.message))
    tab.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        problems.push(message.text())
    })
    await tab.goto(page.url)
    const outcome = await tab.waitForFunction(() => (globalThis as { outcome?: unknown }).outcome)
    return { outcome: await outcome.jsonValue(), problems }
  } finally {
    await browser.close()
    await page.close()
  }
}
