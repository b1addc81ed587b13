// Texts of the wallet. Descriptions of what is signed are in worker/signing-words.ts.

// The account in the header
export const subAccount = 'sub-account'
export const signOut = 'Sign out'
export const connect = 'Connect'
export const equity = 'Equity'

// Signing out of a test wallet
export const forgetTitle = 'Sign out and forget this test wallet?'
export const forgetWarning = (address: string) =>
  `The key of ${address} is stored only in this browser. Without it, the test money, positions and ` +
  'orders of this account are lost; orders stay in the book.'
export const staySignedIn = 'Stay signed in'
export const signOutAndForget = 'Sign out and forget it'

// The browser's wallet
export const browserWallet = 'Browser wallet'
export const walletGone = 'the wallet is no longer in this browser'
export const youDeclined = 'you declined'
export const walletRefuses = 'the wallet rejected the request'
export const walletSilent = 'the wallet does not answer'
export const stoppedWaiting = 'you stopped waiting for the wallet: its request may still be open'
export const rejectedInWallet = 'rejected in the wallet: nothing was signed or sent'
export const walletBusy = 'the wallet already has an open request: answer it first'
export const walletUnauthorized =
  'the wallet does not let this page use the account: connect it again'
export const noAccount = (wallet: string) => `${wallet} returned no account: connect it again`
export const wrongChain = (wallet: string, chainId: number, network: string) =>
  `${wallet} is on chain ${chainId}: switch it to ${network}`
export const callsReverted = 'the chain reverted the calls: none took effect'
export const callsPending = 'the calls are not in a block yet'

// Adding the venue's network
export const addNetwork = 'Add this network to your wallet'
export const network = 'Network'
export const chain = 'Chain'
export const node = 'Node'
export const blockExplorer = 'Block explorer'

// The chain
export const nodeDown = 'the chain node does not respond'
export const chainRefuses = (reason: string) => `the chain node rejected the request: ${reason}`
export const txReverted = (hash: string) => `the chain reverted transaction ${hash}`
export const txPending = (hash: string) => `transaction ${hash} is not in a block yet`
export const otherTxPending =
  'a transaction of this wallet is pending: continue once it is in a block'
export const noContract = (address: string) => `the chain has no contract at ${address}`

// The test wallet
export const testWallet = 'Test wallet'
export const noTestMoney = (name: string) => `${name} has no test money: only a devnet has`
export const notDevnet = 'the chain node is not that of a devnet'
