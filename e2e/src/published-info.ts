// Reads GET /info and the ABIs that it names, as a client does that knows nothing else.
import type { Abi } from 'viem'

/** Messages by their primary type, as eth_signTypedData_v4 takes them but for their values. */
export type Messages = Readonly<
  Record<string, Readonly<{ domain: object; types: object; primaryType: string; use: string }>>
>
export type PublishedContract = Readonly<{
  address: string
  abi: string
  abi_url: string
  from_block: number | null
}>
export type PublishedInfo = Readonly<{
  network: Readonly<{ chain_id: number; rpc_urls: readonly string[] }>
  contracts: Readonly<Record<'accounts' | 'spot' | 'perps' | 'lens', PublishedContract>> &
    Readonly<{ oracles: readonly PublishedContract[] }>
  typed_data: Readonly<Record<'api' | 'accounts' | 'spot' | 'perps', Messages>>
  tokens: readonly Readonly<{ address: string; symbol: string; abi_url: string }>[]
}>

export const readInfo = (apiUrl: string): Promise<PublishedInfo> => readJson(apiUrl, '/info')

export const readAbi = (apiUrl: string, path: string): Promise<Abi> => readJson(apiUrl, path)

async function readJson<T>(apiUrl: string, path: string): Promise<T> {
  const response = await fetch(new URL(path, apiUrl))
  if (response.status !== 200) throw new Error(`${path} answers 200 (${response.status})`)
  return (await response.json()) as T
}
