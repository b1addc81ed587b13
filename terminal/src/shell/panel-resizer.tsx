// Resizes the bottom panel by dragging or by keys. A click toggles between a tall panel and the
// default height, so that dragging is never necessary.
import {
  BOTTOM_PX,
  DEFAULTS,
  limitBottom,
  type SettingsStore,
} from '../features/settings/settings.ts'
import * as text from './text.ts'

const KEY_PX = 16
const TALL_PX = 440
/** A shorter distance is a click. */
const CLICK_PX = 4

export function PanelResizer(props: Readonly<{ settings: SettingsStore; controls: string }>) {
  const height = () => props.settings.chosen.bottomPx
  const choose = (px: number) => props.settings.choose({ bottomPx: limitBottom(px) })
  const keys: Readonly<Record<string, () => void>> = {
    ArrowUp: () => choose(height() + KEY_PX),
    ArrowDown: () => choose(height() - KEY_PX),
    Home: () => choose(BOTTOM_PX.max),
    End: () => choose(BOTTOM_PX.min),
  }
  let [beganAt, beganPx, moved] = [0, 0, 0]
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    moved = Math.max(moved, Math.abs(event.clientY - beganAt))
    if (moved >= CLICK_PX) choose(beganPx + beganAt - event.clientY)
  }
  const click = () => {
    if (moved < CLICK_PX) choose(height() < TALL_PX ? TALL_PX : DEFAULTS.bottomPx)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator cannot be an hr
    <div
      class="resizer"
      role="separator"
      tabindex="0"
      aria-label={text.panelHeight}
      aria-orientation="horizontal"
      aria-controls={props.controls}
      aria-valuemin={BOTTOM_PX.min}
      aria-valuemax={BOTTOM_PX.max}
      aria-valuenow={height()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        moved = 0
        beganAt = event.clientY
        beganPx = height()
      }}
      onPointerMove={drag}
      onPointerUp={click}
      onKeyDown={(event) => {
        const move = keys[event.key]
        if (move === undefined) return
        event.preventDefault()
        move()
      }}
    />
  )
}
