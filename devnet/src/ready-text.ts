// Formats the output of `npm start` when everything runs.

import { POOLS } from './amm/pools.ts'
import { MNEMONIC } from './anvil.ts'
import type { DevnetConfig } from './config.ts'
import type { Devnet } from './devnet.ts'
import { MARKETS } from './markets.ts'
import { ROLES } from './roles.ts'

/** Returns the text for a person at the terminal. */
export function readyText(devnet: Devnet, { dataDir }: DevnetConfig, tookMs: number): string {
  const { apiUrl, integratedUrl, indexerUrl, keeperUrl, rpcUrl, wallets } = devnet
  const lines = [
    `openvenue is ready after ${(tookMs / 1000).toFixed(1)} s (${devnet.isNew ? 'new' : 'resumed'} chain in ${dataDir})`,
    '',
    ...pageLines(devnet),
    `  API          ${apiUrl}`,
    `  API pages    ${apiUrl}/docs`,
    `  Sockets      ${apiUrl.replace('http', 'ws')}/ws and Socket.IO at ${apiUrl}`,
    `  Second host  ${integratedUrl}/docs`,
    `  Indexer      ${indexerUrl}/ready`,
    `  Keeper       ${keeperUrl}/ready`,
    `  Chain        ${rpcUrl}  (id ${devnet.deployment.chainId})`,
    '',
    `  Markets      ${MARKETS.map(({ name }) => name).join('  ')}`,
    `  Pools        ${[...new Set(POOLS.map(({ base }) => base))].map((base) => `${base}/USDC`).join('  ')}  in ${POOLS.length} pools of two kinds`,
    `  Mnemonic     ${MNEMONIC}`,
    ...ROLES.visitors.map((index) => `  Account ${index}    ${wallets[index]}  yours to use`),
    `  Accounts ${ROLES.traders[0]} to ${ROLES.traders.at(-1)} trade, ${ROLES.provider} and ${ROLES.swapper} keep the pools; npm run faucet -- <address> funds a wallet`,
    '',
    'Try:',
    `  curl '${apiUrl}/orderbook?instrument_name=ETH-USDC'`,
    `  curl '${apiUrl}/markets'`,
    `  curl '${apiUrl}/funding?instrument_name=ETH-PERP'`,
    `  curl '${integratedUrl}/api/markets/earn-markets?limit=1'`,
    `  npm run register -- ${ROLES.traders[0]}     (an API key of a trader, to see an account)`,
    '',
    'Ctrl-C ends everything; npm start goes on from there.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

type PageState = Pick<Devnet, 'apiUrl' | 'hasTerminal' | 'terminalProblem'>

/** Lines about the page's URL, and why it is missing or outdated. */
export function pageLines({ apiUrl, hasTerminal, terminalProblem }: PageState): readonly string[] {
  const url = `  Trade        ${apiUrl}/`
  if (terminalProblem === undefined) return hasTerminal ? [url] : []
  const more = '               details: npm run build -w terminal'
  return hasTerminal
    ? [url, `               is of an earlier build; this one failed: ${terminalProblem}`, more]
    : [`  Trade        not here, the page was not built: ${terminalProblem}`, more]
}
