// Indicators and drawing tools of the library, which the build divides from the rest of it.
import { registerIndicator, registerOverlay } from 'klinecharts'
import { indicators, overlays } from 'klinecharts/tools'

for (const indicator of indicators) registerIndicator(indicator)
for (const overlay of overlays) registerOverlay(overlay)
