// The description of the interface: as JSON, and as a page that reads it. The page is Swagger UI,
// served file by file from its package, so that nothing of it is in memory until somebody asks.
import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { type Host, HTML_TYPE } from '../http/host-type.ts'
import { Refusal } from '../http/refusals.ts'

const STATIC = new URL('./static/', import.meta.resolve('@fastify/swagger-ui'))
/** The files of the page, by the name it asks for. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}
const HIDDEN = { schema: { hide: true } }
/** Everything from here; Swagger UI writes styles into its elements, and images as data. */
const PAGE_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

export function docsRoutes(host: Host): void {
  let document: Buffer | undefined
  host.get('/openapi.json', HIDDEN, (_request, reply) => {
    document ??= jsonBytes(host.swagger())
    return answerOnce(reply, document)
  })
  host.get('/docs', HIDDEN, (request, reply) => {
    const isFolder = request.url.split('?', 1)[0]?.endsWith('/') === true
    reply.header('content-security-policy', PAGE_POLICY)
    return reply.type(HTML_TYPE).send(docsPage(isFolder ? '.' : './docs'))
  })
  host.get('/docs/start.js', HIDDEN, (_request, reply) => sendFile(reply, 'start.js', START))
  for (const name of Object.keys(FILES))
    host.get(`/docs/${name}`, HIDDEN, async (_request, reply) => {
      const bytes = await readFile(new URL(name, STATIC)).catch((cause: unknown) => {
        throw new Refusal('INTERNAL_ERROR', { cause })
      })
      return sendFile(reply, name, bytes)
    })
}

const sendFile = (reply: FastifyReply, name: string, bytes: Buffer | string) =>
  reply
    .type(FILES[name] ?? 'text/javascript; charset=utf-8')
    .header('cache-control', 'public, max-age=3600')
    .send(bytes)

/** `folder` is where the files are, as seen from the page, which may stand behind a path prefix. */
const docsPage = (folder: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>openvenue API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${folder}/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="${folder}/swagger-ui-bundle.js"></script>
    <script src="${folder}/start.js"></script>
  </body>
</html>
`

const START = `SwaggerUIBundle({
  dom_id: '#docs',
  url: new URL('../openapi.json', document.currentScript.src).href,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`
