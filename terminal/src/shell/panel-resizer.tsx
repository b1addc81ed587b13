// The line above the panel below: dragged, or moved by keys, it makes that panel taller.
import type { SettingsStore } from '../settings/settings.ts'
import { BOTTOM_PX, limitBottom } from '../settings/settings-text.ts'

const KEY_PX = 16

export function PanelResizer(props: Readonly<{ settings: SettingsStore; controls: string }>) {
  const height = () => props.settings.chosen.bottomPx
  const choose = (px: number) => props.settings.choose({ bottomPx: limitBottom(px) })
  const keys: Readonly<Record<string, () => void>> = {
    ArrowUp: () => choose(height() + KEY_PX),
    ArrowDown: () => choose(height() - KEY_PX),
    Home: () => choose(BOTTOM_PX.max),
    End: () => choose(BOTTOM_PX.min),
  }
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) choose(height() - event.movementY)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no hr
    <div
      class="resizer"
      role="separator"
      tabindex="0"
      aria-label="Height of the panel below"
      aria-orientation="horizontal"
      aria-controls={props.controls}
      aria-valuemin={BOTTOM_PX.min}
      aria-valuemax={BOTTOM_PX.max}
      aria-valuenow={height()}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const move = keys[event.key]
        if (move === undefined) return
        event.preventDefault()
        move()
      }}
    />
  )
}
