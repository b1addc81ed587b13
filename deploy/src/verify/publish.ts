// Uploads sources to explorers: Sourcify, and Blockscout where the network has one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExplorerInput, ExplorerInputs } from './explorer-inputs.ts'

type Explorers = Readonly<{
  chainId: number
  sourcifyUrl: string
  blockscoutUrl: string | undefined
  print(text: string): void
}>

const TIMEOUT_MS = 60_000
const POLL_MS = 2_000
const POLLS_MAX = 60
const CONFLICT = 409

/** Returns whether every explorer has the sources of every contract. */
export async function publishSources(
  { input, contracts }: ExplorerInputs,
  explorers: Explorers,
): Promise<boolean> {
  const text = JSON.stringify(input)
  let isDone = true
  for (const contract of contracts) {
    const answers = [
      await sendSafely(() => sendToSourcify(contract, input, explorers)),
      ...(explorers.blockscoutUrl === undefined
        ? []
        : [await sendSafely(() => sendToBlockscout(contract, text, explorers))]),
    ]
    for (const { isKnown, words } of answers) {
      explorers.print(`${contract.name}: ${words}`)
      isDone &&= isKnown
    }
  }
  return isDone
}

type VerifierAnswer = Readonly<{ isKnown: boolean; words: string }>

/** A failing explorer does not block the others. */
async function sendSafely(send: () => Promise<VerifierAnswer>): Promise<VerifierAnswer> {
  try {
    return await send()
  } catch (error) {
    return { isKnown: false, words: (error as Error).message }
  }
}

async function sendToSourcify(
  contract: ExplorerInput,
  input: unknown,
  { sourcifyUrl, chainId }: Explorers,
): Promise<VerifierAnswer> {
  const { address, compilerVersion, contractIdentifier, creationTransactionHash } = contract
  const response = await fetch(`${sourcifyUrl}/v2/verify/${chainId}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: input,
      compilerVersion,
      contractIdentifier,
      creationTransactionHash,
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status === CONFLICT) return { isKnown: true, words: 'already verified on Sourcify' }
  const body = (await response.json()) as { verificationId?: string; message?: string }
  if (body.verificationId === undefined)
    return {
      isKnown: false,
      words: `Sourcify responded with ${response.status}: ${body.message ?? ''}`,
    }
  return waitForSourcify(`${sourcifyUrl}/v2/verify/${body.verificationId}`)
}

type Job = Readonly<{
  isJobCompleted?: boolean
  contract?: Readonly<{ match?: string | null }>
  error?: Readonly<{ message?: string }>
}>

async function waitForSourcify(url: string): Promise<VerifierAnswer> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { isJobCompleted, contract, error } = (await response.json()) as Job
    if (isJobCompleted !== true) await sleep(POLL_MS)
    else if (error !== undefined)
      return { isKnown: false, words: `Sourcify rejected it: ${error.message ?? 'no reason'}` }
    else return { isKnown: true, words: `Sourcify: ${contract?.match ?? 'match'}` }
  }
  return { isKnown: false, words: 'Sourcify did not finish in time' }
}

/** Blockscout only acknowledges the upload; its page shows the result. */
async function sendToBlockscout(
  contract: ExplorerInput,
  input: string,
  { blockscoutUrl = '' }: Explorers,
): Promise<VerifierAnswer> {
  const form = new FormData()
  form.set('compiler_version', `v${contract.compilerVersion}`)
  form.set('contract_name', contract.contractIdentifier)
  form.set('license_type', 'mit')
  form.set('autodetect_constructor_args', 'false')
  form.set('constructor_args', contract.constructorArguments)
  form.set('files[0]', new Blob([input], { type: 'application/json' }), 'standard-input.json')
  const path = `/api/v2/smart-contracts/${contract.address}/verification/via/standard-input`
  const response = await fetch(`${blockscoutUrl}${path}`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const words = (await response.text()).slice(0, 200)
  if (response.ok) return { isKnown: true, words: `Blockscout: ${words}` }
  const isKnown = /already verified/i.test(words)
  return { isKnown, words: `Blockscout responded with ${response.status}: ${words}` }
}
