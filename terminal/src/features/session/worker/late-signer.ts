// Defers the loading of a signer until something is signed.
import type { Hex, Signer } from 'openvenue/signing'
import { once } from '../../../protocol/worker/retry.ts'

/** Returns a loader of the signer of a private key. */
export const lateSigner = (privateKey: Hex): (() => Promise<Signer>) =>
  once(async () => (await import('./key-signer.ts')).keySigner(privateKey))
