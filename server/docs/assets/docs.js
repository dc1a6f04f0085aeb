import { watchKey } from './api-key.js'
import { watchCall } from './call.js'
import { watchCopy } from './copy.js'
import { watchFilter } from './filter.js'
import { watchNear } from './near.js'
import { watchTabs } from './tabs.js'

const { pathname } = new URL(document.body.dataset['basePath'] ?? '/', location.href)
const baseUrl = `${location.origin}${pathname.replace(/\/$/, '')}`

watchKey()
watchFilter()
for (const tabs of document.querySelectorAll('[data-tabs]')) watchTabs(tabs)
for (const button of document.querySelectorAll('[data-copy]')) watchCopy(button)
watchNear('[data-subject]', (section) => watchCall(section, baseUrl))

// On a narrow screen the contents would fill the first one.
const contents = document.querySelector('[data-contents]')
if (matchMedia('(width < 60rem)').matches) contents?.removeAttribute('open')
