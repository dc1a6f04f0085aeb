/**
 * Makes an element. Whatever is put in is text: nothing that is shown can become markup.
 *
 * @param {string} name
 * @param {string} [className]
 * @param {...(string | Node)} children
 */
export function element(name, className = '', ...children) {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...children)
  return made
}

/**
 * The words of a message as text; what stands between backticks becomes code.
 *
 * @param {string} words
 */
export function message(words) {
  return words
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? element('code', '', part) : part))
}

/**
 * The element with an id, which the page is known to have.
 *
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

/**
 * A part of an element, which it is known to have.
 *
 * @param {Element} parent
 * @param {string} selector
 */
export function part(parent, selector) {
  const found = parent.querySelector(selector)
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector} in #${parent.id}.`)
  return found
}
