import {
  type About,
  becomes,
  type Changed,
  changeOf,
  isNew,
  rule,
  sentences,
  show,
  wasChanged,
  wasRemoved,
} from './rule.ts'

/** An operation that is there in one description alone. */
interface Listed extends About {
  readonly operationId: string | undefined
}

const isRemoved = ({ subject, operationId }: Listed) =>
  `${subject}${operationId === undefined ? '' : `, ${show(operationId)},`} was removed`

interface ChangedPagination extends Changed {
  /** The extension that declares it. */
  readonly key: string
}

const paginationChange = (facts: ChangedPagination) => changeOf(facts.key)(facts)

const untilSunset = 'It works until its sunset; move to its replacement before that.'
const untilThatDay = 'It works until that day.'

export const operationRules = {
  'endpoint-added': rule(
    'an operation is new',
    'minor',
    ({ subject, operationId }: Listed) =>
      `${subject} is new${operationId === undefined ? '' : `, ${show(operationId)}`}`,
    'New operation.',
  ),
  'api-removed-without-deprecation': rule(
    'an operation that has no sunset was removed',
    'major',
    isRemoved,
    'Requests to it fail.',
  ),
  'api-removed-with-deprecation': rule(
    'an operation that has a sunset was removed',
    'major',
    isRemoved,
    'Requests to it fail.',
  ),
  'path-parameter-renamed': rule(
    'a variable of a path has another name',
    'major',
    ({ before, after }: Changed) => `${show(before)} is now named ${show(after)}`,
    'Requests are the same; code that names it, such as a call of `raw`, needs the new name.',
  ),
  'api-operation-id-changed': rule(
    'an operation has another `operationId`',
    'major',
    changeOf('operationId'),
    'The client has its method under the new name only.',
  ),
  'api-operation-id-removed': rule(
    'an operation has no `operationId` any more',
    'major',
    changeOf('operationId'),
    'The client has no method for it any more.',
  ),
  'api-operation-id-added': rule(
    'an operation has a first `operationId`',
    'minor',
    changeOf('operationId'),
    'The client has a method of this name.',
  ),
  'api-operation-name-changed': rule(
    '`service.yaml` gives an operation another name',
    'major',
    changeOf('name'),
    'The client has its method, and the service its handler, under the new name only.',
  ),
  'api-pagination-changed': rule(
    'the pagination of an operation is new, or has other names',
    'minor',
    paginationChange,
    'The client loads its pages by it.',
  ),
  'api-pagination-style-changed': rule(
    'the pagination of an operation has another style',
    'major',
    paginationChange,
    'Code that loads the pages by itself no longer finds the next one.',
  ),
  'api-pagination-removed': rule(
    'the pagination of an operation was removed',
    'major',
    paginationChange,
    'The client no longer loads its pages.',
  ),
  'endpoint-deprecated': rule(
    'an operation is deprecated',
    'minor',
    becomes('now deprecated'),
    untilSunset,
  ),
  'endpoint-reactivated': rule(
    'an operation is no longer deprecated',
    'minor',
    becomes('no longer deprecated'),
    'Code that uses it can stay.',
  ),
  'api-sunset-date-added': rule(
    'an operation has a first sunset',
    'minor',
    changeOf('x-sunset'),
    untilThatDay,
  ),
  'api-sunset-date-postponed': rule(
    'the sunset of an operation is later',
    'minor',
    changeOf('x-sunset'),
    untilThatDay,
  ),
  'api-sunset-date-changed-too-small': rule(
    'the sunset of an operation is earlier',
    'major',
    changeOf('x-sunset'),
    'Code that uses it must move sooner than was announced.',
  ),
  'sunset-deleted': rule(
    'an operation has no sunset any more',
    'minor',
    changeOf('x-sunset'),
    'It has no day of removal any more.',
  ),
  'webhook-added': rule(
    'a webhook or a callback is new',
    'minor',
    isNew,
    'Consumers that do not register for it do not receive it.',
  ),
  'webhook-removed': rule(
    'a webhook or a callback was removed',
    'major',
    wasRemoved,
    'Consumers that wait for it do not receive it.',
  ),
  'webhook-changed': rule(
    'a webhook or a callback is sent in another way',
    'major',
    wasChanged,
    'Consumers receive another request than they are prepared for.',
  ),
  'api-facts-changed': rule(
    'an operation has another day of deprecation, or another replacement',
    'patch',
    wasChanged,
    sentences.reworded,
  ),
  'api-tags-changed': rule('an operation has other tags', 'patch', wasChanged, sentences.reworded, {
    isRewording: true,
  }),
}
