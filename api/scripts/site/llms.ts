// Builds llms.txt: an index of all documents for programs, with a line about each (llmstxt.org).
// Links are relative to its own URL.
import { FIRST_SECTION } from '../../src/rest/docs-markdown.ts'
import { type Guide, isForTraders, readGuides } from '../../src/rest/guides.ts'
import { mdPage } from './markdown-text.ts'
import { referencePages } from './reference-pages.ts'

const ABOUT = `> A non-custodial trading venue: spot and perpetual order books live and match in contracts on an EVM chain; this API serves what the chain says, and brings signed orders to it.

Market data is public. An account needs an API key (\`POST /register\`, signed by its wallet), and each order a signature (EIP-712) of the wallet or of a signing key. Prices and amounts are decimal strings, but raw integers in \`/orderbook\` and in signed orders. Every refusal has a code of \`/errors\`, and its \`details\` name a valid value. \`trading\` of \`/info\`, \`/markets\` and \`/health\` states whether new orders are accepted: \`live\`, \`coming_soon\` or \`cancel_only\`.`

const DESCRIPTIONS: readonly (readonly [path: string, title: string, about: string])[] = [
  ['info', 'Entry point for programs', 'Network, contracts, ABIs, typed data to sign, tokens.'],
  ['errors', 'Errors', 'Every code, its retry rule, and the required action.'],
  ['openapi.json', 'OpenAPI 3.1', 'REST, with an example of each answer and body.'],
  ['arazzo.json', 'Arazzo 1.0.1', 'From a wallet to a fill, step by step.'],
  ['postman.json', 'Postman collection', 'Every request with an example, also for Bruno.'],
  ['asyncapi.json', 'AsyncAPI 3.0', 'The sockets, for generators of code.'],
]

/** Returns the text of llms.txt, from the documents of the folder and an OpenAPI document. */
export function llmsOf(document: object): string {
  const [guides, reference] = [readGuides(), referencePages(document)]
  const forTraders = guides.filter(isForTraders)
  const others = guides.filter((guide) => !isForTraders(guide))
  const entry = ({ file, title, about }: Guide) => link(`docs/${file}`, title, about)
  return mdPage(
    '# openvenue',
    ABOUT,
    FIRST_SECTION,
    forTraders.map(entry).join('\n'),
    '## REST, endpoint by endpoint',
    [
      link('docs.md', 'All endpoints', 'One line for each, and the rules of all.'),
      ...reference.map(({ file, title, about }) => link(`docs/reference/${file}`, title, about)),
    ].join('\n'),
    '## Sockets',
    link('docs/sockets.md', 'Operations and channels', 'Their fields, with examples.'),
    '## For programs',
    DESCRIPTIONS.map((row) => link(...row)).join('\n'),
    '## Optional',
    others.map(entry).join('\n'),
  )
}

const link = (path: string, title: string, about: string) => `- [${title}](${path}): ${about}`
