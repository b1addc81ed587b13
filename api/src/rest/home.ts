// GET /: the terminal, for people who open the base URL of a venue that has one. Otherwise, and
// always at GET /links, a list of links for people and for programs.

import type { Trading } from '@openvenue/wire/trading'
import type { FastifyReply } from 'fastify'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { type Host, HTML_TYPE } from '../http/host-type.ts'
import { addVary, REVALIDATE } from '../http/negotiation.ts'
import { closedWords } from '../orders/relay/relay-status.ts'
import { escaped, PAGE_STYLE } from './page-style.ts'
import type { ServiceOptions } from './readiness.ts'
import type { Routes } from './route.ts'
import { pageSender } from './terminal.ts'

const LINKS = [
  ['/docs', 'Every endpoint, with its parameters and answers, to try'],
  ['/openapi.json', 'The same for programs: OpenAPI 3.1'],
  ['/docs/sockets', 'Live data over Socket.IO and WebSocket'],
  ['/asyncapi.json', 'The same for programs: AsyncAPI 3.0'],
  ['/llms.txt', 'All pages as Markdown, for programs'],
  ['/errors', 'Every error code, and what to do about it'],
  ['/info', 'Entry point for programs: network, contracts, ABIs, typed data, tokens'],
  ['/markets', 'The markets'],
  ['/markets-summary', 'Every asset with its prices'],
  ['/health', 'Liveness'],
  ['/ready', 'Readiness: cache store, chain and indexer'],
  ['/metrics', 'Metrics for Prometheus'],
] as const
const ABOUT = 'Spot and perpetual order books on a chain. This is the REST API.'

type HomeInputs = 'options' | 'settings' | 'terminal' | 'terminalProblem' | 'published'

export const homeRoutes: Routes<HomeInputs> = (host, parts) => {
  const { terminal, terminalProblem, published } = parts
  const home = { about: ABOUT, links: LINKS }
  const sendTerminal = terminal && pageSender(terminal, published)
  serveHome(host, parts, { ...home, sendPage: sendTerminal, problem: terminalProblem })
  serveHome(host, parts, { ...home, path: '/links' })
}

/** A sentence about the host, and paths with their descriptions. */
type Home = Readonly<{
  about: string
  links: readonly (readonly [string, string])[]
  /** Its path: `/` unless given. */
  path?: string
  /** Sends the terminal to browsers, instead of the page with the links. */
  sendPage?: ((reply: FastifyReply) => FastifyReply) | undefined
  /** The reason why the terminal is missing, if it should be there. */
  problem?: string | undefined
}>

/** Serves the first page of a host. */
export function serveHome(
  host: Host,
  {
    options: { environment: network, version },
    settings: { trading },
  }: Readonly<{
    options: Pick<ServiceOptions, 'environment' | 'version'>
    settings: Readonly<{ trading: Trading }>
  }>,
  home: Home,
): void {
  const links = Object.fromEntries(
    home.links.map(([path]) => [path.slice(1).replace('.json', ''), path]),
  )
  const json = jsonBytes({ name: 'openvenue', network, version, trading, links })
  const page = Buffer.from(
    homePage(home, [`openvenue ${version}, ${network}`, closedWords(trading) ?? '']),
  )
  const sendLinks = (reply: FastifyReply) => reply.type(HTML_TYPE).send(page)
  const { path = '/', sendPage = sendLinks } = home
  host.get(path, { schema: { hide: true } }, (request, reply) => {
    addVary(reply, 'Accept')
    reply.header('cache-control', REVALIDATE)
    const wantsPage = request.headers.accept?.includes('text/html') === true
    return wantsPage ? sendPage(reply) : answerOnce(reply, json)
  })
}

/** Links are relative, because the venue may be behind a path prefix. */
const homePage = (
  { about, links, problem }: Home,
  [build, closed]: readonly [string, string],
) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>openvenue</title>
    <link rel="icon" href="data:,">
    <style>${PAGE_STYLE}${HOME_STYLE}</style>
  </head>
  <body>
    <main>
    <h1>openvenue</h1>
    <p>${about}</p>${closed && `\n    <p><strong>${closed}.</strong></p>`}${problemText(problem)}
    <table>
${links.map(([path, what]) => `      <tr><td><a href=".${path}">${path}</a></td><td>${what}</td></tr>`).join('\n')}
    </table>
    <footer>${build}</footer>
    </main>
  </body>
</html>
`

const problemText = (problem: string | undefined): string =>
  problem === undefined
    ? ''
    : `
    <p><strong>The page to trade on is not here: it was not built.</strong></p>
    <p><code>${escaped(problem)}</code></p>
    <p><code>npm run build -w terminal</code> says all of it. Once that works, start again.</p>`

const HOME_STYLE = `
      body { max-width: 46rem; }
      td { padding: 0.2rem 1.5rem 0.2rem 0; vertical-align: top; }
`
