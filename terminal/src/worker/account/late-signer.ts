// Stands for a signing key until something is signed.
import type { Hex, Signer } from 'openvenue/signing'
import { once } from '../once.ts'

/** Returns what loads the signer of a private key. */
export const lateSigner = (privateKey: Hex): (() => Promise<Signer>) =>
  once(async () => (await import('./key-signer.ts')).keySigner(privateKey))
