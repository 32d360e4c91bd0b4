import { existsSync } from 'node:fs'

/** A Chromium or Chrome on this machine: `CHROMIUM_PATH`, else the usual places. */
export function findChromium(): string | undefined {
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  return places.find((place) => place !== undefined && existsSync(place))
}
