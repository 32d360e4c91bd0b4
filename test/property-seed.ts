import fc from 'fast-check'

// Properties draw their cases from this seed where there is one, else anew in each run.
const seed = Number(process.env['PROPERTY_SEED'])
if (!Number.isSafeInteger(seed))
  throw new Error(`PROPERTY_SEED must be a whole number, and is "${process.env['PROPERTY_SEED']}".`)
fc.configureGlobal({ seed })
