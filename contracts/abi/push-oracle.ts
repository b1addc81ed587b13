// Generated from IOracle by `npm run build -w contracts`. Do not edit.

export const pushOracleAbi = [
  {"type":"function","name":"read","inputs":[{"name":"asset","type":"bytes32","internalType":"bytes32"}],"outputs":[{"name":"price","type":"uint256","internalType":"uint256"},{"name":"time","type":"uint256","internalType":"uint256"}],"stateMutability":"view"},
  {"type":"event","name":"Indexed","inputs":[{"name":"asset","type":"bytes32","indexed":true,"internalType":"bytes32"},{"name":"price","type":"uint256","indexed":false,"internalType":"uint256"},{"name":"time","type":"uint40","indexed":false,"internalType":"uint40"}],"anonymous":false},
  {"type":"error","name":"PriceFromFuture","inputs":[{"name":"asset","type":"bytes32","internalType":"bytes32"},{"name":"time","type":"uint256","internalType":"uint256"}]},
  {"type":"error","name":"PriceOlder","inputs":[{"name":"asset","type":"bytes32","internalType":"bytes32"},{"name":"time","type":"uint256","internalType":"uint256"},{"name":"newest","type":"uint256","internalType":"uint256"}]},
  {"type":"error","name":"PriceZero","inputs":[{"name":"asset","type":"bytes32","internalType":"bytes32"}]},
] as const

export const pushOracleBytecode =
  '0x' as const
