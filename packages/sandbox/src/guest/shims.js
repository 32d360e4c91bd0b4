// Globals that people expect and the engine lacks. A script for the guest: its value is `(host) => void`.
'use strict'
;(host) => {
  // The engine would hand the functions on the stack to a formatter of the guest, and with them the inside of this script.
  Reflect.deleteProperty(Error, 'prepareStackTrace')
  void host
}
