// Starts the page of /docs in the browser. Swagger UI would read the document as YAML and resolve
// all of it whenever an operation is opened, seconds each; ours is JSON whose references are local.
const documentUrl = new URL('../openapi.json', document.currentScript.src).href

/** Returns `value` with what its references point at in `root` in their place. */
const resolve = (value, root) => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, root))
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$ref === 'string')
    return resolve(at(root, value.$ref.slice('#/'.length).split('/')), root)
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, resolve(own, root)]))
}

const at = (root, path) => path.reduce((value, key) => value?.[key], root)

const isDark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', isDark.matches)
isDark.addEventListener('change', followScheme)
followScheme()

const resolveHere = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_original, { specActions }) =>
          (text) => {
            document.querySelector('#operation-list')?.remove()
            return specActions.updateJsonSpec(JSON.parse(text))
          },
        requestResolvedSubtree:
          (_original, { specActions, specSelectors }) =>
          (path) => {
            const root = specSelectors.specJson().toJS()
            return specActions.updateResolvedSubtree(path, resolve(at(root, path), root))
          },
      },
    },
  },
})

SwaggerUIBundle({
  dom_id: '#docs',
  url: documentUrl,
  plugins: [resolveHere],
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  validatorUrl: null,
})
