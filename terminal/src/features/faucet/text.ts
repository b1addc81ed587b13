// Texts of the faucet page.

export const title = 'Faucet'
export const devnetMoney =
  'This is a devnet: its money is free and has no value. One click sends this to the wallet:'
export const createTestWallet = 'Create a test wallet with money'
export const getTestMoney = 'Get test money'
export const sending = 'Sending …'
export const confirmed = '✓ Confirmed.'
export const testWalletTerms = (isLive: boolean) =>
  `The test wallet is kept in this browser only. It also deposits part of the money and registers a key${isLive ? ', so you can trade right away.' : '; trading is not live.'}`
export const walletBalance = (address: string) => `Wallet balance ${address}`

// Networks whose faucet is another page
export const noFaucet = (network: string) => `${network || 'This network'} has no faucet here.`
export const comesFrom = (network: string) =>
  `Test money of ${network || 'this network'} comes from `
export const faucetAt = (host: string) => `its faucet at ${host}`
export const enterAddress = ', outside this page: enter your wallet address there.'
