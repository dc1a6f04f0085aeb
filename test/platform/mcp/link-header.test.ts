import { expect, test } from 'vitest'
import { findNextTarget } from '../../../server/mcp/link-header.ts'
import { nextLinks } from '../../helpers/next-links.ts'

test.each(nextLinks)(
  'a next link %s leads to the page of its cursor, or is none',
  (_, field, cursor) => {
    const target = findNextTarget(field)
    const found = target && new URL(target, 'http://localhost').searchParams.get('cursor')
    expect(found).toBe(cursor)
  },
)
