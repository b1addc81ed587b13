// Shared code of canvas drawings: screen resolution, at most one drawing per frame, and none while
// hidden.
import { onCleanup } from 'solid-js'

export type Plot = Readonly<{
  /** Draws with the next frame. */
  redraw: () => void
}>
export type Draw = (
  context: CanvasRenderingContext2D,
  size: Readonly<{ width: number; height: number }>,
) => void

/** Draws on `canvas` whenever it is asked to, or has another size. */
export function createPlot(canvas: HTMLCanvasElement, draw: Draw): Plot {
  const context = canvas.getContext('2d')
  let frameRequest = 0
  const paint = () => {
    frameRequest = 0
    const { clientWidth: width, clientHeight: height } = canvas
    if (context === null || width === 0 || height === 0) return
    const scale = devicePixelRatio
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
    if (canvas.width !== wide) canvas.width = wide
    if (canvas.height !== high) canvas.height = high
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width, height)
    draw(context, { width, height })
  }
  // A hidden page has no frames: it is drawn once when it is seen again.
  const redraw = () => {
    frameRequest ||= requestAnimationFrame(paint)
  }
  const sizes = new ResizeObserver(redraw)
  sizes.observe(canvas)
  onCleanup(() => {
    sizes.disconnect()
    cancelAnimationFrame(frameRequest)
  })
  return { redraw }
}
