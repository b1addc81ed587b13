// Functions and logs of the contracts that are used while the API is down.
import { parseAbi } from 'viem'

export const lensAbi = parseAbi([
  'struct RestingOrder { uint40 order; uint40 account; uint24 tick; uint64 lots; uint40 goodTil; }',
  'struct PerpAccount { int256 collateral; int256 equity; uint256 initialMargin; uint256 maintenanceMargin; uint256 available; uint256 withdrawable; }',
  'function books(address engine, uint32 market, uint256 ordersMax) view returns (RestingOrder[] bids, RestingOrder[] asks)',
  'function perpAccount(address engine, uint40 account) view returns (PerpAccount)',
])

export const engineAbi = parseAbi([
  'struct Units { uint64 quotePerLotTick; uint96 amountStep; uint32 base; uint32 quote; bool halted; uint8 baseDecimals; }',
  'struct Order { uint40 account; uint64 lots; uint40 prev; uint40 next; uint24 tick; uint8 flags; uint40 goodTil; }',
  'struct OrderRequest { uint32 market; bool buy; uint24 tick; uint64 lots; uint8 timeInForce; bool reduceOnly; uint40 goodTil; uint16 maxFills; }',
  'function unitsOf(uint32 market) view returns (Units)',
  'function orderAt(uint32 market, uint40 order) view returns (Order)',
  'function marketCount() view returns (uint32)',
  'function tokenCount() view returns (uint32)',
  'function tokenAt(uint32 number) view returns (address)',
  'function cancelAll(uint32 market, uint40[] orders) returns (uint256 cancelled)',
  'function place(OrderRequest request) returns (uint40 order)',
])

export const spotAbi = parseAbi([
  'function balanceOf(uint40 account, address token) view returns (uint256)',
])

export const perpsAbi = parseAbi([
  'struct Position { int64 lots; int128 quote; uint16 leverage; uint40 frozenUntil; int128 fundingIndex; uint64 bidLots; uint64 askLots; }',
  'struct Quote { bytes32 asset; uint256 index; uint256 indexTime; uint256 earlier; uint256 mark; uint256 markPerLot; uint256 earlierPerLot; int256 fundingIndex; uint256 maxLeverage; bool stale; bool ended; }',
  'struct Loss { uint40 account; uint32 market; uint40 flaggedTime; uint40 coveredTime; }',
  'function flaggedLoss() view returns (Loss)',
  'function positionOf(uint32 market, uint40 account) view returns (Position)',
  'function quoteOf(uint32 market) view returns (Quote)',
])

export const accountsAbi = parseAbi(['function accountOf(address wallet) view returns (uint40)'])

export const tokenAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
])
