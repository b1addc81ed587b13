// Builds the pages of docs/site from the descriptions of the interface.

import { FOLDER_MARK, PAGE_FILES, readPageFile } from '../../src/rest/docs.ts'
import { listErrors } from '../../src/rest/error-catalogue.ts'
import { escaped, PAGE_STYLE } from '../../src/rest/page-style.ts'
import { mdCode, mdPage, mdTable } from './markdown-text.ts'
import { type ReferencePage, referenceAbout, referencePages } from './reference-pages.ts'
import { socketsPage } from './sockets-page.ts'
import { socketsReference } from './sockets-reference.ts'

/** Paths relative to /docs/, with their descriptions. */
type DocsLinks = readonly (readonly [path: string, what: string])[]

type SiteOperation = Readonly<{ tags?: readonly string[]; summary?: string }>
type SiteDocument = Readonly<{
  info: Readonly<{ title: string }>
  tags?: readonly Readonly<{ name: string; description?: string }>[]
  paths?: Readonly<Record<string, Readonly<Record<string, SiteOperation>>>>
}>

const LINKS: DocsLinks = [
  ['sockets', 'Live data: sockets'],
  ['../openapi.json', 'openapi.json'],
  ['../asyncapi.json', 'asyncapi.json'],
  ['../llms.txt', 'llms.txt: all documents as Markdown'],
  ['../links', 'All pages'],
  ['..', 'Home'],
]
const INTEGRATED_LINKS: DocsLinks = [
  ['../openapi.json', 'openapi.json'],
  ['..', 'Home'],
]

/** Returns the text of each file by its path below docs/, from the documents of both hosts. */
export function siteFiles(document: object, integrated: object): ReadonlyMap<string, string> {
  const reference = referencePages(document)
  return new Map([
    ['site/docs.html', docsPage(document, LINKS)],
    ['site/integrated.html', docsPage(integrated, INTEGRATED_LINKS)],
    ['site/sockets.html', socketsPage()],
    ['site/docs.md', docsText(referenceAbout(document), reference)],
    ['site/sockets.md', socketsReference()],
    ['site/errors.md', errorsText()],
    ...reference.map(({ file, text }) => [`site/reference/${file}`, text] as const),
  ])
}

/** Returns /docs.md: the rules of all endpoints, and one line about each endpoint. */
function docsText(about: string, reference: readonly ReferencePage[]): string {
  const sections = reference.flatMap(({ file, title, about: words, endpoints }) => [
    `## [${title}](docs/reference/${file})`,
    words,
    endpoints.map((named) => `- \`${named}\``).join('\n'),
  ])
  return mdPage('# openvenue API', about, ...sections)
}

/** Returns the catalogue of codes as a table. */
const errorsText = (): string =>
  mdPage(
    '# Errors',
    'The catalogue of `GET /errors`. `wait`: repeat the request after `retry_after`; `backoff`: repeat it after pauses of your own; `act`: repeat it after the action; `change`: only a different request can succeed.',
    mdTable(
      ['Code', 'Status', 'Meaning', 'Retry', 'Action', 'Details have'],
      listErrors().map(({ code, status, message, retry, action, details }) => [
        mdCode(code),
        status === null ? 'sockets' : String(status),
        message,
        retry,
        action,
        details.map(mdCode).join(', '),
      ]),
    ),
  )

/**
 * Returns a page with links and a list of all operations, which needs no script. Swagger UI
 * replaces the list once it has loaded.
 */
function docsPage(document: object, links: DocsLinks): string {
  const folder = FOLDER_MARK
  const files = PAGE_FILES.map(({ name, at }) => `${name}?v=${readPageFile(at).hash}`)
  const [style = '', ...scripts] = files
  const { info, tags = [], paths = {} } = document as SiteDocument
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

const list = (operations: readonly (SiteOperation & { path: string; method: string })[]) =>
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
