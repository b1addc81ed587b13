// Finds controls that are smaller than WCAG 2.5.8 requires, with its exceptions.
import type { Page } from 'playwright-core'

const TARGET_PX = 24
/** Rounding error of a pixel. */
const SPARE_PX = 0.05

/**
 * Targets with an equivalent control (exception "equivalent"), each with that control. The
 * exceptions "spacing" and "inline" are detected; "user agent control" and "essential" are not used
 * here.
 */
const EQUIVALENT: readonly (readonly [selector: string, control: string])[] = [
  // A row takes its price into the form, where it can be typed.
  ['.book .asks tr, .book .bids tr', '#order-price, #order-trigger, .trade-bar button'],
]
const PRESSED =
  'a[href], button, select, input, textarea, summary, .asks tr, .bids tr, [role="tab"], ' +
  '[role="separator"], [role="button"], [role="link"], [role="slider"]'

type Box = Readonly<{ left: number; right: number; top: number; bottom: number }>
type Target = Readonly<{
  html: string
  box: Box
  /** Other areas that trigger it: its label, or content drawn around it. */
  others: readonly Box[]
  /** Indexes of other targets that contain it. */
  within: readonly number[]
  isInline: boolean
  hasEquivalent: boolean
}>

/** Returns targets that are too small and have no exception. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  const all = await page.evaluate(readTargets, { pressed: PRESSED, equivalent: EQUIVALENT })
  const small = all.filter(({ box, others }) => ![box, ...others].some(isLarge))
  return small
    .filter((one) => !one.isInline && !one.hasEquivalent && !isSpaced(one, all, small))
    .map(({ html, box }) => `${html}: ${box.right - box.left} x ${box.bottom - box.top}`)
}

function readTargets({
  pressed,
  equivalent,
}: {
  pressed: string
  equivalent: readonly (readonly [string, string])[]
}): readonly Target[] {
  const boxOf = (element: Element): Box => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return { left, right, top, bottom }
  }
  const isThere = (element: Element) =>
    element.clientWidth + element.getBoundingClientRect().width > 2 &&
    element.closest('[inert]') === null &&
    getComputedStyle(element).clipPath === 'none' &&
    element.checkVisibility({ visibilityProperty: true })
  const othersOf = (element: Element): readonly Box[] => {
    const isBox = element.matches('[type="checkbox"], [type="radio"]')
    const labels = isBox ? [...((element as HTMLInputElement).labels ?? [])].map(boxOf) : []
    const { position, content, top, bottom } = getComputedStyle(element, '::before')
    if (position !== 'absolute' || content === 'none') return labels
    const own = boxOf(element)
    const [above, below] = [Number.parseFloat(top), Number.parseFloat(bottom)]
    return [...labels, { ...own, top: own.top + above, bottom: own.bottom - below }]
  }
  /** Text before or after it is on the same line. */
  const isInline = (element: Element) =>
    getComputedStyle(element).display === 'inline' &&
    [...(element.parentElement?.childNodes ?? [])].some(
      (node) => node instanceof Text && /\w/.test(node.data),
    )
  const hasEquivalent = (element: Element) =>
    equivalent.some(
      ([selector, control]) =>
        element.matches(selector) &&
        [...document.querySelectorAll(control)].some((one) => one.checkVisibility()),
    )
  const targets = [...document.querySelectorAll(pressed)].filter(isThere)
  return targets.map((element) => ({
    html: element.outerHTML.slice(0, 100),
    box: boxOf(element),
    others: othersOf(element),
    within: targets.flatMap((one, at) => (one !== element && one.contains(element) ? [at] : [])),
    isInline: isInline(element),
    hasEquivalent: hasEquivalent(element),
  }))
}

const isLarge = ({ left, right, top, bottom }: Box): boolean =>
  Math.min(right - left, bottom - top) >= TARGET_PX - SPARE_PX

const centreOf = ({ left, right, top, bottom }: Box) => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
})

/** A circle of 24 px around it meets no other target, nor the circle of another small one. */
function isSpaced(one: Target, all: readonly Target[], small: readonly Target[]): boolean {
  const here = centreOf(one.box)
  const isApart = (other: Target) => {
    const { left, right, top, bottom } = other.box
    const x = Math.max(left - here.x, 0, here.x - right)
    const y = Math.max(top - here.y, 0, here.y - bottom)
    const there = centreOf(other.box)
    const isClear =
      !small.includes(other) || Math.hypot(here.x - there.x, here.y - there.y) >= TARGET_PX
    return isClear && Math.hypot(x, y) >= TARGET_PX / 2
  }
  const at = all.indexOf(one)
  return all
    .filter((other, index) => {
      const isNested = one.within.includes(index) || other.within.includes(at)
      return other !== one && !isNested
    })
    .every(isApart)
}
