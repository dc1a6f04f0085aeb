import { expect, test } from 'vitest'
import { broken, busy, calm } from './support/loop-states.ts'
import { serveStudio } from './support/studio-server.ts'
import { expectAccessible, looks, takePicture, visit } from './support/visit.ts'

test.for(looks)(
  "the designer's page is accessible, calm, busy and broken: $scheme, $width wide",
  async (look, context) => {
    const { origin, tell, stop } = await serveStudio(calm)
    const { page, complaints, requested } = await visit(context, look)
    await page.goto(`${origin}/studio`)
    await page.getByText('Healthy').waitFor()
    await takePicture(page, 'studio-calm')
    await expectAccessible(page)

    tell({ ...busy, service: origin })
    await page.getByText('run 7').waitFor()
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    await takePicture(page, 'studio-busy')

    tell({ ...broken, service: origin })
    await page.getByText('Broken').waitFor()
    await takePicture(page, 'studio-broken')
    await expectAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, 'nothing sticks out sideways').toBeLessThanOrEqual(look.width)
    expect(complaints).toEqual([])
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])

    await stop()
    await page.getByText('Loop gone').waitFor()
    await takePicture(page, 'studio-gone')
  },
)
