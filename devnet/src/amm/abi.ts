// Functions of pools and their routers that the devnet calls.
import { parseAbi } from 'viem'

export const v2FactoryAbi = parseAbi(['function getPair(address, address) view returns (address)'])

export const v2PairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 seconds)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
])

export const v2RouterAbi = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 wantedA, uint256 wantedB, uint256 minA, uint256 minB, address to, uint256 deadline) returns (uint256, uint256, uint256)',
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 minA, uint256 minB, address to, uint256 deadline) returns (uint256, uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 minOut, address[] path, address to, uint256 deadline) returns (uint256[])',
])

export const v3FactoryAbi = parseAbi([
  'function getPool(address, address, uint24 fee) view returns (address)',
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
])

export const v3PoolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
])

export const positionManagerAbi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 wanted0; uint256 wanted1; uint256 min0; uint256 min1; address recipient; uint256 deadline; }',
  'struct Increase { uint256 tokenId; uint256 wanted0; uint256 wanted1; uint256 min0; uint256 min1; uint256 deadline; }',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 min0; uint256 min1; uint256 deadline; }',
  'struct Collect { uint256 tokenId; address recipient; uint128 max0; uint128 max1; }',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
  'function mint(Mint) payable returns (uint256 tokenId, uint128, uint256, uint256)',
  'function increaseLiquidity(Increase) payable returns (uint128, uint256, uint256)',
  'function decreaseLiquidity(Decrease) payable returns (uint256, uint256)',
  'function collect(Collect) payable returns (uint256, uint256)',
  'function multicall(bytes[]) payable returns (bytes[])',
  'function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
])

export const v3RouterAbi = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 minOut; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap) payable returns (uint256)',
])
