import { expect } from 'vitest'

/** The values of metrics by name and labels, as Prometheus writes them. */
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
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

/** Returns the number of requests to an operation with a status. */
export function requestsOf(series: Series, operation: string, status: number | string): number {
  const labels = `operation="${operation}",status="${status}"`
  return series.get(`animal_store_request_duration_seconds_count{${labels}}`) ?? 0
}

/** Waits until a service has so many requests in flight. */
export async function expectInFlight(
  service: { metricsUrl: string },
  count: number,
): Promise<void> {
  const inFlight = async () => (await readMetrics(service)).get('animal_store_requests_in_flight')
  await expect.poll(inFlight).toBe(count)
}
