// Signs with a stored key. The elliptic-curve code is large, so it is loaded on first use.
import type { Hex, Signer } from 'openvenue/signing'
import { privateKeyToAddress, signTypedData } from 'viem/accounts'

type Parameters = Omit<SigningData<typeof signTypedData>, 'privateKey'>
type SigningData<Signing> = Signing extends (data: infer Data) => unknown ? Data : never

export const keySigner = (privateKey: Hex): Signer => ({
  address: privateKeyToAddress(privateKey),
  signTypedData: (data) => signTypedData({ ...(data as unknown as Parameters), privateKey }),
})
