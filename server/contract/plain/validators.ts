/** The functions that `generate` compiles from a description. */
export type Validators = typeof import('../../../generated/validators.js')
