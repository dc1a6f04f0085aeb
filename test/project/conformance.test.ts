import { readServedApi } from '../../server/served-api.ts'
import { testConformance } from '../helpers/conformance/conformance.ts'

// It covers every operation of the description: a new one needs no new line here.
testConformance(readServedApi())
