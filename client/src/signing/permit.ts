// Signs an EIP-2612 permit, so that a deposit takes one transaction.
import {
  checkInput,
  checkValue,
  isText,
  isUnixSeconds,
  type MemberChecks,
  objectOf,
  wholeFrom,
} from '../input.ts'
import { isSigner, isWord } from './checks.ts'
import { isChecked } from './checksum.ts'
import { type Address, type Hex, type Signer, signWith, typedData } from './typed-data.ts'

const PERMIT = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]
const R_END = 66
const S_END = 130

/** A permit to sign. Read `name`, `version` and `nonce` from the token contract. */
export type NewPermit = Readonly<{
  chainId: number
  token: Readonly<{ address: Address; name: string; version: string }>
  /** Engine that receives the deposit. */
  spender: Address
  /** Raw units of the token. */
  value: bigint
  /** `nonces(owner)` of the token. */
  nonce: bigint
  /** Unix seconds. */
  deadlineSeconds: number
}>

/** Last four arguments of `depositWithPermit`. */
export type SignedPermit = Readonly<{ deadline: bigint; v: number; r: Hex; s: Hex }>

const PERMIT_INPUT: MemberChecks<NewPermit> = {
  chainId: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  token: /* @__PURE__ */ objectOf<NewPermit['token']>({
    address: isChecked,
    name: isText,
    version: isText,
  }),
  spender: isChecked,
  value: isWord,
  nonce: isWord,
  deadlineSeconds: isUnixSeconds,
}

/** Signs a permit with the wallet that owns the tokens. */
export async function signPermit(wallet: Signer, permit: NewPermit): Promise<SignedPermit> {
  checkValue('wallet', wallet, isSigner)
  checkInput(permit, PERMIT_INPUT, { amount: 'value' })
  const { chainId, token, spender, value, nonce } = permit
  const { address: verifyingContract, name, version } = token
  const deadline = BigInt(permit.deadlineSeconds)
  const message = { owner: wallet.address, spender, value, nonce, deadline }
  const domain = { name, version, chainId, verifyingContract }
  const signature = await signWith(wallet, typedData(domain, ['Permit', PERMIT], message))
  const [r, s] = [signature.slice(0, R_END) as Hex, `0x${signature.slice(R_END, S_END)}` as Hex]
  return { deadline, v: Number(`0x${signature.slice(S_END)}`), r, s }
}
