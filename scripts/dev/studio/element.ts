type Child = string | Node

/** Creates an element. Children that are not elements become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  if (className !== '') {
    created.className = className
  }
  created.append(...children)
  return created
}

/** Returns children with a space between them, so that their text is read as words. */
export function spaced(...children: readonly Child[]): readonly Child[] {
  return children.flatMap((child) => [child, ' '])
}

/** Returns the parts of a text; those between backticks are code. */
export function marked(text: string): readonly Child[] {
  const parts = text.split(/`([^`]+)`/)
  return parts.map((part, index) => (index % 2 === 1 ? element('code', '', part) : part))
}

/** Returns an element of the page. */
export function byId(id: string): HTMLElement {
  const target = document.getElementById(id)
  if (target === null) {
    throw new Error(`The page has no #${id}.`)
  }
  return target
}

/** Sets the text of an element; a live region is not announced again without a change. */
export function setText(id: string, text: string): void {
  const target = byId(id)
  if (target.textContent !== text) {
    target.textContent = text
  }
}
