// Generated from IAccounts by `npm run build -w contracts`. Do not edit.

export const accountsAbi = [
  {"type":"function","name":"accountOf","inputs":[{"name":"wallet","type":"address","internalType":"address"}],"outputs":[{"name":"","type":"uint40","internalType":"uint40"}],"stateMutability":"view"},
  {"type":"function","name":"open","inputs":[{"name":"wallet","type":"address","internalType":"address"}],"outputs":[{"name":"account","type":"uint40","internalType":"uint40"}],"stateMutability":"nonpayable"},
  {"type":"function","name":"register","inputs":[{"name":"wallet","type":"address","internalType":"address"},{"name":"key","type":"address","internalType":"address"},{"name":"expiry","type":"uint256","internalType":"uint256"},{"name":"walletSignature","type":"bytes","internalType":"bytes"},{"name":"keySignature","type":"bytes","internalType":"bytes"}],"outputs":[{"name":"account","type":"uint40","internalType":"uint40"}],"stateMutability":"nonpayable"},
  {"type":"function","name":"revoke","inputs":[{"name":"key","type":"address","internalType":"address"}],"outputs":[],"stateMutability":"nonpayable"},
  {"type":"function","name":"traderAccount","inputs":[{"name":"who","type":"address","internalType":"address"}],"outputs":[{"name":"","type":"uint40","internalType":"uint40"}],"stateMutability":"view"},
  {"type":"function","name":"walletOf","inputs":[{"name":"account","type":"uint40","internalType":"uint40"}],"outputs":[{"name":"","type":"address","internalType":"address"}],"stateMutability":"view"},
  {"type":"event","name":"AccountOpened","inputs":[{"name":"account","type":"uint40","indexed":true,"internalType":"uint40"},{"name":"wallet","type":"address","indexed":true,"internalType":"address"}],"anonymous":false},
  {"type":"event","name":"KeyRegistered","inputs":[{"name":"account","type":"uint40","indexed":true,"internalType":"uint40"},{"name":"key","type":"address","indexed":true,"internalType":"address"},{"name":"expiry","type":"uint40","indexed":false,"internalType":"uint40"}],"anonymous":false},
  {"type":"event","name":"KeyRevoked","inputs":[{"name":"account","type":"uint40","indexed":true,"internalType":"uint40"},{"name":"key","type":"address","indexed":true,"internalType":"address"}],"anonymous":false},
  {"type":"error","name":"KeyDead","inputs":[{"name":"key","type":"address","internalType":"address"}]},
  {"type":"error","name":"KeyExpiryPassed","inputs":[{"name":"expiry","type":"uint256","internalType":"uint256"},{"name":"time","type":"uint256","internalType":"uint256"}]},
  {"type":"error","name":"KeyTaken","inputs":[{"name":"key","type":"address","internalType":"address"},{"name":"account","type":"uint40","internalType":"uint40"}]},
  {"type":"error","name":"NotKeyOwner","inputs":[{"name":"key","type":"address","internalType":"address"},{"name":"caller","type":"address","internalType":"address"}]},
  {"type":"error","name":"SignatureInvalid","inputs":[{"name":"signer","type":"address","internalType":"address"}]},
  {"type":"error","name":"WalletZero","inputs":[]},
] as const

export const accountsBytecode =
  '0x' as const
