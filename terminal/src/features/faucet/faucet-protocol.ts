// Requests of the faucet page.
import type { Question } from '../../protocol/question.ts'

export type FaucetOffer = Readonly<{ symbol: string; amount: string }>

export type FaucetRequests = Readonly<{
  readFaucet: Question<null, readonly FaucetOffer[]>
}>
