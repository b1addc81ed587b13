// Entry `openvenue/signing`: signs orders, cancels, registrations and permits.
export {
  type NewCanceller,
  type NewRegistration,
  signCanceller,
  signRegistration,
} from './accounts.ts'
export {
  approveCall,
  burnCall,
  type Call,
  collectCall,
  depositCall,
  depositWithPermitCall,
  type Money,
  openSubCall,
  revokeKeyCall,
  setLeverageCall,
  transferCall,
  withdrawCall,
} from './calls.ts'
export {
  cancelData,
  type NewBurn,
  type NewCancel,
  type NewCancelAll,
  type SignedBurn,
  type SignedCancelAll,
  signBurn,
  signCancel,
  signCancelAll,
} from './cancel.ts'
export { type Deposit, type DepositRoom, readDepositRoom } from './deposit-room.ts'
export { type FeeTerms, GAS_LIMITS, type GasFees, offerFees, readFees } from './gas.ts'
export {
  type OrderToSign,
  orderToSign,
  type SignedOrder,
  signOrder,
} from './order.ts'
export { type MemberNames, type NewOrder, orderNames, type ReplacedOrder } from './order-members.ts'
export { type NewPermit, type SignedPermit, signPermit } from './permit.ts'
export {
  allowVenueToCancel,
  type CancelGrant,
  type ChainWait,
  type RegisterOptions,
  register,
} from './register.ts'
export { replacementOf } from './replacement.ts'
export { makeSalts, nextSalt } from './salts.ts'
export {
  type Address,
  type Domain,
  digestOf,
  type Hex,
  type Signer,
  type TypedData,
  type TypedDataProvider,
  type TypedDataWallet,
  walletSigner,
} from './typed-data.ts'
export {
  type Contracts,
  loadVenue,
  type Pinned,
  type SigningMarket,
  SigningVenue,
  type VenueOptions,
} from './venue.ts'
