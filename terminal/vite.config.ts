// Builds the page into dist: static files, with paths relative to wherever it is served.
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  base: './',
  plugins: [solid()],
  worker: { format: 'es' },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
})
