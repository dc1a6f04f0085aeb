import { test } from 'vitest'
import { checkTypes } from './support/checks.ts'

test('the types of the package compile and reject wrong uses', () => checkTypes('7.0'))
