import { throwUnexpected } from './throw-unexpected.ts'

throwUnexpected()
