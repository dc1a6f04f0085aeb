import type { TestContext } from 'vitest'
import { startTestService } from '../../support/service.ts'
import { visit } from './visit.ts'

/** Opens the reference of a service of its own, where an animal can be added. */
export async function openDocs(context: TestContext) {
  const service = await startTestService()
  const visited = await visit(context)
  await visited.page.goto(`${service.origin}/docs`)
  await visited.page.locator('#createPet').scrollIntoViewIfNeeded()
  await visited.page.locator('#createPet form').waitFor()
  return { ...service, ...visited }
}
