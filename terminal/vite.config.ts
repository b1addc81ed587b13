// Builds the page into dist: static files with relative paths, so that any prefix can serve them.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'
import { leanChart } from './scripts/lean-chart.ts'
import { licenses } from './scripts/licenses.ts'

const { worker: workerLicenses, page: pageLicenses } = licenses()
const INPUT = { index: pathOf('./index.html'), begin: pathOf('./src/begin.ts') }
/** The page needs all of Solid at once: one request before the first book, not two. */
const OUTPUT = { codeSplitting: { groups: [{ name: 'solid', test: /\/solid-js\// }] } }

// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  base: './',
  plugins: [
    inlinedTexts(),
    solid(),
    trustedTemplates(),
    leanChart(),
    begunFirst(),
    workerAhead(),
    policyFirst(),
    pageLicenses(),
  ],
  worker: { format: 'es', plugins: () => [inlinedTexts(), workerLicenses()] },
  build: {
    ...{ target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
    rolldownOptions: { input: INPUT, output: OUTPUT },
  },
})

const TEXTS_IMPORT = /^import \* as text from '(\.[^']*\/text\.ts)'$/m

/**
 * Replaces texts by their values, so that Solid puts constants into its templates, and a part that
 * is loaded later brings its texts with it. Functions that use other names of their module remain
 * imported.
 */
function inlinedTexts(): Plugin {
  return {
    name: 'inlined-texts',
    enforce: 'pre',
    async transform(code, id) {
      const [, path] = TEXTS_IMPORT.exec(code) ?? []
      if (path === undefined) return null
      const file = join(dirname(id), path)
      this.addWatchFile(file)
      const texts: Readonly<Record<string, unknown>> = await import(file)
      const usesModule = new RegExp(namesIn(readFileSync(file, 'utf8')).join('|') || '^$')
      return code.replaceAll(/(?<![\w.])text\.(\w+)\b/g, (use, name: string) => {
        const text = texts[name]
        if (typeof text === 'string') return JSON.stringify(text)
        return typeof text === 'function' && !usesModule.test(`${text}`) ? `(${text})` : use
      })
    },
  }
}

/** Patterns of the names that a module declares or imports. */
const namesIn = (source: string): readonly string[] =>
  [...source.matchAll(/^(?:export )?const (\w+)|^import \{([^}]*)\}/gm)]
    .flatMap(([, name, imported]) => name ?? imported?.match(/\w+/g) ?? [])
    .map((name) => `(?<![.\\w])${name}\\b`)

function pathOf(file: string): string {
  return new URL(file, import.meta.url).pathname
}

/** Runs the start script immediately, before the page's rendering code. */
function begunFirst(): Plugin {
  return {
    name: 'begun-first',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === 'chunk' && file.isEntry && file.name === 'begin')
          .map(({ fileName }) => ({
            tag: 'script',
            injectTo: 'head-prepend' as const,
            attrs: { type: 'module', async: true, crossorigin: true, src: `./${fileName}` },
          })),
    },
  }
}

/**
 * The page's security policy on any host, as in the API's own header (decision 0069); where both
 * exist, both apply. config.json names the API, so requests to any host are allowed. It comes first
 * in the page, because it does not apply to anything before it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' http: https: ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types openvenue',
].join('; ')

function policyFirst(): Plugin {
  return {
    name: 'policy-first',
    transformIndexHtml: {
      order: 'post',
      handler: () => {
        const attrs = { 'http-equiv': 'Content-Security-Policy', content: POLICY }
        return [{ tag: 'meta', injectTo: 'head-prepend' as const, attrs }]
      },
    },
  }
}

/** Passes component markup through the page's Trusted Types policy. */
function trustedTemplates(): Plugin {
  const policy = pathOf('./src/page/trusted-types.ts')
  return {
    name: 'trusted-templates',
    enforce: 'post',
    transform: (code, id) =>
      id.endsWith('.tsx')
        ? code.replace(
            /import \{ template as ([\w$]+) \} from ["']solid-js\/web["']/,
            `import { template as $1 } from ${JSON.stringify(policy)}`,
          )
        : null,
  }
}

/**
 * Loads the worker and its imports into the cache with the page, which would request them only once
 * it runs. As scripts: Chromium ignores `as="worker"`.
 */
function workerAhead(): Plugin {
  return {
    name: 'worker-ahead',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter(({ fileName }) => /venue-worker-[^/]*\.js$/.test(fileName))
          .flatMap((file) => {
            const code = String(file.type === 'asset' ? file.source : file.code)
            const imports = [...code.matchAll(/from\s*["']\.\/([^"']+\.js)["']/g)]
            return [file.fileName, ...imports.map(([, name]) => `assets/${name}`)]
          })
          .map((path) => ({
            tag: 'link',
            injectTo: 'head' as const,
            attrs: { rel: 'modulepreload', href: `./${path}` },
          })),
    },
  }
}
