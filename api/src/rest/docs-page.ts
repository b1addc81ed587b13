// Builds the page of /docs: links and a list of all operations, which needs no script. Swagger UI
// replaces the list once it has loaded.
import { escaped, PAGE_STYLE } from './page-style.ts'

/** Paths relative to /docs/, with their descriptions. */
export type DocsLinks = readonly (readonly [path: string, what: string])[]

type DocsContent = Readonly<{
  /** Folder of the files, relative to the page, which may be behind a path prefix. */
  folder: string
  links: DocsLinks
  /** An OpenAPI document. */
  document: object
  /** The style, then the scripts in loading order. */
  files: readonly string[]
}>

type Operation = Readonly<{ tags?: readonly string[]; summary?: string }>
type Document = Readonly<{
  info: Readonly<{ title: string }>
  tags?: readonly Readonly<{ name: string; description?: string }>[]
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}>

export function docsPage({ folder, links, document, files }: DocsContent): string {
  const [style = '', ...scripts] = files
  const { info, tags = [], paths = {} } = document as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  const sections = tags.map(({ name, description = '' }) => {
    const own = operations.filter((operation) => operation.tags?.includes(name))
    return `      <h2>${escaped(name)}</h2>\n      <p>${escaped(description)}</p>\n${list(own)}`
  })
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(info.title)}</title>
    <link rel="icon" href="data:,">
    <style>${PAGE_STYLE}${DOCS_STYLE}</style>
    <link rel="stylesheet" href="${folder}/${style}">
${scripts.map((script) => `    <script defer src="${folder}/${script}"></script>`).join('\n')}
    <link rel="preload" as="fetch" crossorigin href="${folder}/../openapi.json">
  </head>
  <body class="docs">
    <nav>
${links.map(([path, what]) => `      <a href="${folder}/${path}">${escaped(what)}</a>`).join('\n')}
    </nav>
    <div id="docs"></div>
    <main id="operation-list">
      <h1>${escaped(info.title)}</h1>
${sections.join('\n')}
    </main>
  </body>
</html>
`
}

const list = (operations: readonly (Operation & { path: string; method: string })[]) =>
  `      <ul>
${operations
  .map(
    ({ path, method, summary = '' }) =>
      `        <li><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${escaped(summary)}</li>`,
  )
  .join('\n')}
      </ul>`

/** Swagger UI stays hidden until it has the operations and removes the list. */
const DOCS_STYLE = `
      body.docs { max-width: none; margin: 0; padding: 0; }
      .docs #docs:has(+ #operation-list) { display: none; }
      .docs main { max-width: 72rem; margin: 2rem auto; padding: 0 1.25rem; }
`
