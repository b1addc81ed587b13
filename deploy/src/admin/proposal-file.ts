// Stores proposals: the chain keeps only an id, and an execution needs the calls.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { readJson, writeDurably } from '../apply/durable-file.ts'
import type { GovernedCall, Proposal } from './proposal.ts'

/** The members keep the names under which earlier proposals were stored. */
type ProposalChange = GovernedCall & Readonly<{ stands: string; wanted: string }>

type ProposalRecord = Proposal & Readonly<{ changes: readonly ProposalChange[] }>

const pathIn = (folder: string) => join(folder, 'proposals.json')

export const readProposals = (folder: string): readonly ProposalRecord[] =>
  (readJson(pathIn(folder)) ?? []) as readonly ProposalRecord[]

/** Adds `record` unless it is already stored. */
export function storeProposal(folder: string, record: ProposalRecord): void {
  const others = readProposals(folder).filter(({ id }) => id !== record.id)
  mkdirSync(folder, { recursive: true })
  writeDurably(pathIn(folder), `${JSON.stringify([...others, record], null, 2)}\n`)
}

/** Returns the proposal whose id begins with `text`; throws unless there is exactly one. */
export function findProposal(folder: string, text: string): ProposalRecord {
  const matches = readProposals(folder).filter(({ id }) => id.startsWith(text.toLowerCase()))
  const [first] = matches
  if (first !== undefined && matches.length === 1 && text.length > 2) return first
  throw new ConfigInvalid(
    `proposal id is ambiguous or unknown: got "${text}", which matches ${matches.length} in ${pathIn(folder)}, expected the start of one id`,
  )
}

export const STATES = ['unknown', 'waiting', 'ready', 'done'] as const
export type ProposalState = (typeof STATES)[number] | 'expired'
