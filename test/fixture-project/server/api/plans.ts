export { fixturePlans as plans } from '../../test/fixture-api/plans.ts'
