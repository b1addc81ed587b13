// Writes an address so that two of them can be held apart.

export const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
