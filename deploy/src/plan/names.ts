// Encodes names for the chain.
import { type Hex, hexToString, stringToHex } from 'viem'

/** Left-aligned ASCII in 32 bytes. */
export const bytes32 = (text: string): Hex => stringToHex(text, { size: 32 })

export const nameText = (word: Hex): string => hexToString(word, { size: 32 })
