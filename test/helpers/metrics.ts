import { expect } from 'vitest'
import { apiName } from '../../server/process/names.ts'

/** The label that every series has. */
const apiLabel = `api="${apiName}"`

/** The values of metrics by name and labels, as Prometheus writes them, without the label `api`. */
export type Series = ReadonlyMap<string, number>

/** Reads the metrics of a service, as Prometheus does. */
export async function readMetrics({ metricsUrl }: { metricsUrl: string }): Promise<Series> {
  const response = await fetch(metricsUrl)
  expect(response.status).toBe(200)
  const text = await response.text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      const name = line.slice(0, end)
      expect(name).toContain(apiLabel)
      return [withoutApi(name), Number(line.slice(end + 1))]
    }),
  )
}

function withoutApi(name: string): string {
  const withoutLabel = name.replace(apiLabel, '').replace(/,(?=[,}])|(?<=\{),/, '')
  return withoutLabel.replace('{}', '')
}

/** Returns the number of requests to an operation with a status. */
export function requestsOf(series: Series, operation: string, status: number | string): number {
  const labels = `operation="${operation}",status="${status}"`
  return series.get(`api_request_duration_seconds_count{${labels}}`) ?? 0
}

/** Waits until a metric of a service has a value. */
export async function expectMetric(
  service: { metricsUrl: string },
  name: string,
  value: number,
): Promise<void> {
  const read = async () => (await readMetrics(service)).get(`api_${name}`)
  await expect.poll(read).toBe(value)
}
