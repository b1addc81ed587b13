// Selects the tools for the level that the program was started for.
import { type ApiKey, Rest } from 'openvenue'
import type { Signer } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import { checkKey } from './access.ts'
import { enterDevnet } from './devnet.ts'
import type { AccessLevel } from './endpoint-tool.ts'
import type { ServerOptions } from './options.ts'
import { decimalBook } from './order-book.ts'
import { BuiltOrders, buildTool, previewTool, submitTool } from './order-tools.ts'
import { endpointTools, type Tool } from './server.ts'
import { SpendingCaps } from './spending-caps.ts'
import { TradingAccount } from './trading-account.ts'
import { placeTool, signingCancel } from './trading-tools.ts'

/** Returns the tools. A key is checked first; without a key, the venue is not contacted. */
export async function chooseTools(options: ServerOptions): Promise<readonly Tool[]> {
  const { devnetAccount, apiKey, signingKey, url } = options
  if (devnetAccount !== undefined) {
    const entered = await enterDevnet(openRest(url), devnetAccount)
    return ownTools(options, entered.apiKey, entered.signer)
  }
  if (apiKey === undefined) return readingTools(openRest(url), ['market'])
  const signer = signingKey && (privateKeyToAccount(signingKey) as Signer)
  return ownTools(options, apiKey, signer)
}

/** Returns the tools of an account. */
async function ownTools(
  { url, power, caps }: ServerOptions,
  apiKey: ApiKey,
  signer: Signer | undefined,
): Promise<readonly Tool[]> {
  const rest = openRest(url, apiKey)
  const account = new TradingAccount(rest, await checkKey(rest, power))
  const built = new BuiltOrders()
  const levels: readonly AccessLevel[] =
    power === 'read' ? ['market', 'account'] : ['market', 'account', 'cancel']
  const tools = [
    ...readingTools(rest, levels),
    previewTool(account),
    buildTool(account, built),
    ...(power === 'submit' || power === 'trade' ? [submitTool(account, built)] : []),
  ]
  if (signer === undefined) return tools
  const spending = caps === undefined ? undefined : new SpendingCaps(caps)
  const trading = { account, signer, caps: spending }
  return [
    ...tools.map((tool) => (tool.name === 'cancel_order' ? signingCancel(tool, trading) : tool)),
    placeTool(trading),
  ]
}

const readingTools = (rest: Rest, levels: readonly AccessLevel[]): readonly Tool[] =>
  endpointTools(rest, levels).map((tool) =>
    tool.name === 'get_orderbook' ? decimalBook(tool, rest) : tool,
  )

/** Retries within a delay that is acceptable to a model. */
const PATIENCE = { retries: 2, waitMsMax: 3000 }
/** Time limit of a call. */
const CALL_MS_MAX = 15_000

const openRest = (url: string, apiKey?: ApiKey): Rest =>
  new Rest({
    url,
    patience: PATIENCE,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: (address, { signal, ...init }) => {
      const timeout = AbortSignal.timeout(CALL_MS_MAX)
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      // A redirect would send the key to another server.
      return fetch(address, { ...init, signal: either, redirect: 'error' })
    },
  })
