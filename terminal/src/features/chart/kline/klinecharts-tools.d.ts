// The part of the library that scripts/lean-chart.ts divides from it.
declare module 'klinecharts/tools' {
  import type { IndicatorTemplate, OverlayTemplate } from 'klinecharts'

  export const indicators: readonly IndicatorTemplate[]
  export const overlays: readonly OverlayTemplate[]
}
