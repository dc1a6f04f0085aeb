/**
 * Lets a button copy the sample that is shown beside it, and say so.
 *
 * @param {Element} button
 */
export function watchCopy(button) {
  if (!(button instanceof HTMLButtonElement) || !navigator.clipboard) return
  button.hidden = false
  button.addEventListener('click', async () => {
    const sample = button
      .closest('[data-tabs]')
      ?.querySelector('[data-tab-panel]:not([hidden]) code')
    const isCopied = await navigator.clipboard.writeText(sample?.textContent ?? '').then(
      () => true,
      () => false,
    )
    button.textContent = isCopied ? 'Copied' : 'Not allowed'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
}
