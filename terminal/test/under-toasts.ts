// Finds the controls under the toasts of the page.
import type { Page } from 'playwright-core'

type ToastCover = Readonly<{ toasts: number; covered: readonly string[] }>

/** Returns the number of toasts, and the controls that they cover. */
export const lookUnderToasts = (page: Page): Promise<ToastCover> => page.evaluate(look)

function look(): ToastCover {
  const PRESSED = 'button, a, input, select, summary, label, th, tbody tr, [role="tab"]'
  const STEP_PX = 4
  const toasts = [...document.querySelectorAll('.toasts p')].filter((one) => one.checkVisibility())
  const covered = toasts.flatMap((toast) => {
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const found = new Set<Element>()
    for (let y = top; y < bottom; y += STEP_PX)
      for (let x = left; x < right; x += STEP_PX) {
        // Toasts are transparent to the pointer, so this finds the element under them.
        const pressed = document.elementFromPoint(x, y)?.closest(PRESSED)
        if (pressed !== null && pressed !== undefined) found.add(pressed)
      }
    const isOutside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
    return [...found].map((one) => one.outerHTML.slice(0, 90)).concat(isOutside ? 'the edge' : [])
  })
  return { toasts: toasts.length, covered }
}
