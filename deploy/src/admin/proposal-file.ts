// Remembers what was proposed: the chain keeps an id, and to carry a proposal out takes its calls.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigInvalid } from '@openvenue/store/environment'
import { readJson, writeDurably } from '../apply/durable-file.ts'
import type { GovernedCall, Proposal } from './proposal.ts'

type Change = GovernedCall & Readonly<{ stands: string; wanted: string }>

export type ProposalRecord = Proposal & Readonly<{ changes: readonly Change[] }>

const pathIn = (folder: string) => join(folder, 'proposals.json')

export const readProposals = (folder: string): readonly ProposalRecord[] =>
  (readJson(pathIn(folder)) ?? []) as readonly ProposalRecord[]

/** Adds `record`, once. */
export function keepProposal(folder: string, record: ProposalRecord): void {
  const others = readProposals(folder).filter(({ id }) => id !== record.id)
  mkdirSync(folder, { recursive: true })
  writeDurably(pathIn(folder), `${JSON.stringify([...others, record], null, 2)}\n`)
}

/** Returns the proposal whose id begins with `text`; throws where there is not exactly one. */
export function findProposal(folder: string, text: string): ProposalRecord {
  const found = readProposals(folder).filter(({ id }) => id.startsWith(text.toLowerCase()))
  const [first] = found
  if (first !== undefined && found.length === 1 && text.length > 2) return first
  throw new ConfigInvalid(
    `"${text}" is how the id of one proposal in ${pathIn(folder)} begins (it fits ${found.length})`,
  )
}

export const STATES = ['unknown', 'waiting', 'ready', 'done'] as const
export type ProposalState = (typeof STATES)[number] | 'expired'
