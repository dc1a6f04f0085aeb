import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { expectAccessible, looks, takePicture, visit } from './support/visit.ts'

test.for(looks)(
  'the reference is accessible and keeps to its own origin: $scheme, $width wide',
  async (look, context) => {
    const { origin, apiKey } = await startTestService()
    const { page, complaints, requested } = await visit(context, look)
    await page.goto(`${origin}/docs`)
    await page.locator('#filter').waitFor({ state: 'attached' })
    await takePicture(page, 'docs')
    await expectAccessible(page)

    await page.locator('#createPet').scrollIntoViewIfNeeded()
    await page.locator('#createPet form').waitFor()
    await page.fill('#api-key', apiKey)
    await page.click('#createPet [type=submit]')
    await page.locator('#createPet .outcome').waitFor()
    await page.locator('#createPet form').evaluate((form) => form.scrollIntoView())
    await takePicture(page, 'docs-answer')
    await page.locator('#createPet').evaluate((section) => section.scrollIntoView())
    await takePicture(page, 'docs-operation')
    await page.goto(`${origin}/docs#getPet`)
    await takePicture(page, 'docs-deprecated')
    await page.goto(`${origin}/docs#answer-TooManyRequests`)
    await takePicture(page, 'docs-shared')
    await expectAccessible(page)

    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, 'nothing sticks out sideways').toBeLessThanOrEqual(look.width)
    expect(complaints).toEqual([])
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
  },
)
