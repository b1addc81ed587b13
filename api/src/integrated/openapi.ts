// The description of the second host, generated from the schemas of its routes.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { describedAs } from '../http/openapi.ts'

export const integratedApiOptions = (): FastifyDynamicSwaggerOptions =>
  describedAs({
    title: 'openvenue integrated API',
    about: ABOUT,
    examples: new URL('./openapi-examples.json', import.meta.url),
    tags: [
      { name: 'Service', description: 'Liveness, readiness, version and time.' },
      { name: 'Markets', description: 'AMM pools of the chain: their reserves, volume and fees.' },
      { name: 'Order books', description: 'The order books of the venue, published as pools.' },
    ],
  })

const ABOUT = `Read-only listings beside the order books: AMM pools of the chain (v2: amm, v3: clmm), and the spot
order books published as pools. Nothing here needs a key.

- Numbers are JSON numbers: computed exactly from what the chain says, then the nearest double.
- Values in USD are at the prices of now. A token's price is that of the venue's oracle where the
  venue lists the token (by its address: anybody can call a token anything), else that of the
  deepest pool that leads to a priced token. It is 0 only where no pool leads to one.
- Names and logos come from the operator's token list where it has the token, else from the token.
- Lists go on with next_cursor. Answers of chain data carry X-Block-Number, X-Block-Hash
  and X-Data-Age-Ms, how long ago the chain was last known to have nothing newer.
- Errors have one body: a code in \`error\`, words in \`message\`, and in \`details\` each field with
  its rule and the nearest legal value.
- RateLimit-Policy and RateLimit say how many requests are left; 429 says when to come back.
`
