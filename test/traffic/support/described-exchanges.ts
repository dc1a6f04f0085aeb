import { basePath, operations } from '../../../generated/operations.ts'
import { createContractIndex, toObject } from '../../support/traffic/contract-index.ts'
import type { Exchange, Field } from '../../support/traffic/exchange.ts'

const { find, locate } = createContractIndex()

/** One exchange for every answer that is described, made of the examples of the description. */
export function describedExchanges(): Exchange[] {
  return Object.values(operations).flatMap(({ method, path }) => {
    const described = find(method, basePath + path)
    const operation = ['paths', path, method]
    const parameters = (described?.parameters ?? []).map(({ in: where }, number) => {
      const { name, example } = nodeAt([...operation, 'parameters', String(number)])
      return { where, name: String(name), value: String(example) }
    })
    const query = new URLSearchParams(pairs(parameters, 'query'))
    const filled = pairs(parameters, 'path').reduce(
      (text, [name, value]) => text.replace(`{${name}}`, value),
      path as string,
    )
    const requestBody = exampleBody([...operation, 'requestBody'])
    const contentType = { name: 'content-type', value: 'application/json' }
    const fields = [
      { name: 'authorization', value: 'Bearer [hidden]' },
      ...pairs(parameters, 'header').map(([name, value]) => ({ name, value })),
      ...(requestBody === undefined ? [] : [contentType]),
    ]
    return Object.keys(nodeAt([...operation, 'responses'])).map((status) => ({
      test: `described ${status}`,
      method: method.toUpperCase(),
      url: `http://127.0.0.1${basePath}${filled}${query.size === 0 ? '' : `?${query}`}`,
      requestHeaders: fields,
      ...(requestBody === undefined ? {} : { requestBody }),
      isRequestWhole: true,
      ...answerOf([...operation, 'responses', status], Number(status)),
      waived: [],
    }))
  })
}

function answerOf(place: readonly string[], status: number) {
  const headers: Field[] = Object.keys(nodeAt([...place, 'headers'])).map((name) => ({
    name,
    value: String(nodeAt([...place, 'headers', name])['example']),
  }))
  const body = exampleBody(place) ?? ''
  return {
    status,
    headers: [...headers, { name: 'Content-Type', value: 'application/json' }],
    body,
  }
}

function exampleBody(place: readonly string[]): string | undefined {
  const examples = nodeAt([...place, 'content', 'application/json', 'examples'])
  const [first] = Object.values(examples)
  return first === undefined ? undefined : JSON.stringify(toObject(first)['value'])
}

function nodeAt(place: readonly string[]) {
  return locate(place)?.node ?? {}
}

function pairs(
  parameters: readonly { where: string; name: string; value: string }[],
  place: string,
): [string, string][] {
  return parameters.filter(({ where }) => where === place).map(({ name, value }) => [name, value])
}
