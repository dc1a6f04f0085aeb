import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { type PageState, ToolsPage } from './tools-page.ts'

// What a browser runs on the page that the server has rendered.
const text = document.querySelector('#state')?.textContent ?? ''
const state: PageState = JSON.parse(text)
const root = document.querySelector('#root')
if (root !== null) {
  hydrateRoot(root, createElement(ToolsPage, state))
}
