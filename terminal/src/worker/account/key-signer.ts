// Signs with a key that is kept here. The curve is heavy: it is loaded when something is signed.
import type { Hex, Signer } from 'openvenue/signing'
import { privateKeyToAddress, signTypedData } from 'viem/accounts'

type Parameters = Omit<Parameter<typeof signTypedData>, 'privateKey'>
type Parameter<Signing> = Signing extends (data: infer Data) => unknown ? Data : never

/** Returns the signer of a private key. */
export const keySigner = (privateKey: Hex): Signer => ({
  address: privateKeyToAddress(privateKey),
  signTypedData: (data) => signTypedData({ ...(data as unknown as Parameters), privateKey }),
})
